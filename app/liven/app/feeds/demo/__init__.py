"""`liven feeds demo`: a board and an airspace are recorded, ingested with Spark, queried and played again.

`command` is the command, `story` its steps, `companions` the processes that take part.
"""

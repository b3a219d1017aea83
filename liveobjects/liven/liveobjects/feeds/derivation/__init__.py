"""Published derivations: the result of a query on a recorded feed as a value stream that goes on.

`derivation` is the object for recipes: it waits for the feed and for its turn. `feed_query` is the object
inside it that a person is asked about; it runs Spark in a process of its own, which is `query_process`.
`told_table` makes tables of what that process prints. Nothing here needs Spark.
"""

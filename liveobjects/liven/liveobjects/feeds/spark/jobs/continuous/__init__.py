"""A query on a feed as it grows, whose result is reported again whenever it changes.

`query` is the job. `streams` makes the feed's tables for it, `columns` the columns of the result, and
`safe_query` says which queries are allowed, `results` keeps the rows of the result.
"""

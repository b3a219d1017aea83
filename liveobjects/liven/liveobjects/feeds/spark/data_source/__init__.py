"""Spark's data source `liven`: feeds as tables of records, read in batches or as a stream, and written.

Spark creates these objects in processes of its own, several for each query. Only `read` and `write` run in
workers. Start with `source`; what a person may choose is in `options`. The rules of Spark that shaped this
code are in docs/feeds-spark.md."""

"""Tables of recorded feeds: their columns, where their files lie, and which files belong to them. No pyspark.

Start with `manifest`: a table is the list of Parquet files in its commits, and nothing else is. `columns`
makes typed columns of a value type, `decoder` fills them, `schema` joins the columns of several versions of a
type. Spark's jobs in `feeds/spark` write these tables; anything that reads Parquet can read them with the
list that `manifest` gives."""

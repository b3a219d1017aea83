"""The Parquet files of a stretch of a log, written without Spark's own writer, wherever there is a worker.

`stretch` decodes the records of a stretch and gives the rows to `table_files`, which gathers them into row
groups; `arrow_types` reads the types of columns. Putting finished files into tables is not here but in
`table.commits.staged_files`."""

"""The subcommands of `liven feeds` that run a job on Spark, or start and prepare Spark.

A module a subcommand; they share `job_arguments` and `job_progress`. Nothing here imports pyspark."""

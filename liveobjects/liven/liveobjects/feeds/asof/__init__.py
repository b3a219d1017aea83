"""States of all objects of a recording at a moment, without Spark: numpy on the segments themselves.

`moment_index` answers which records make up the state of each object, `states` reads them. The table of
the same name that Spark writes is in `spark.jobs.derived.asof`; both agree, and a test says so.
"""

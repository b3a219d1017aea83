"""One batch of an ingest: from a stretch of a log to files that are in tables, but in no commit yet.

`batch` says what a batch and its result are. `direct` has workers write the files of records of which none
can be a duplicate; `searched` has Spark look for duplicates first. `jobs.ingest` chooses, and commits."""

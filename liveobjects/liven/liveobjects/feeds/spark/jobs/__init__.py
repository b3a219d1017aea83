"""Spark's jobs over feeds.

A job is a module with `run(context, arguments)`; `registry` lists them. It reads and writes tables through
`context`, and does its work with functions from DataFrame to DataFrame (`silver`, `deduplication`,
`compaction`), which need no folders, no session of their own, and no clock. To add a job:

1. write the functions in a module here, with the schema that they return declared as a constant;
2. write `run(context, arguments)` beside them: make drafts (`Staging`), commit them in one step
   (`Manifest.commit`), and call `context.check()` between steps, which raises when somebody cancels;
3. add a row to `registry.JOBS`, and one to `liven.app.feeds.command` for its command.

A table that is derived from others commits to the same manifest, with `job` as its name; `views.table_frame`
reads any."""

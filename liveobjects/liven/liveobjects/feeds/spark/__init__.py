"""The Spark side of feeds. It runs in processes of its own, never in the desktop.

From below: `java` finds a Java, `virtual_machine` starts it (with a `startup_cache` that `training` makes,
and a folder of `scratch`), `session` opens Spark on it, `data_source` reads and writes feeds, `jobs` turn
records into tables, `runner` does a job here (`interrupt` is its Ctrl+C), and `sidecar` keeps a session for
the next ones. Start with `session` and `jobs/job`; the docstring of `jobs` says how to add one. A cluster is
named by `settings.SparkSettings.master`; `server_address` tries its address, `settings_file` holds what else
it takes, and `cluster` runs one."""

"""The Spark side of feeds. It runs in processes of its own, never in the desktop.

From below: `java` finds a Java, `virtual_machine` starts it (with a `startup_cache` that `training` makes,
and a folder of `scratch`), `session` opens Spark on it, `data_source` reads and writes feeds, `jobs` turn
records into tables, `runner` does a job here, and `sidecar` keeps a session for the next ones. Start with
`session` and `jobs/job`; the docstring of `jobs` says how to add one. A cluster needs nothing else here:
`SparkSettings.master` names it, and `java.Java.home` is the JAVA_HOME for its workers."""

"""A Spark cluster of this computer: a master and workers, started from the installed packages alone.

`local_cluster` is the whole, `daemon` one of its processes, and `bound_exec` ties such a process to the one
that started it. Jobs need none of this: they take a cluster by its settings, which `settings_file` writes."""

"""The resident process of the feeds: it keeps a session of Spark open, so that a job begins in a fraction of
a second.

`server` is that process, `client` asks it. They speak JSON lines over a Unix socket that only its user may
open."""

"""The `liven feeds` subcommands. `command` has the table of them; each is a module of its own with
`configure` and `run`, imported when it is typed. They print; the work is done in `liven.liveobjects.feeds`.
"""

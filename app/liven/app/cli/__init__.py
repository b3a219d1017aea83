"""The command line: the table of subcommands, and finding and running the one that was typed.

Each subcommand lives in a package of its own, such as `open` or `cp`. Start at `dispatch`.
"""

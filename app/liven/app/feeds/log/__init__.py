"""The subcommands that read logs and care for them: `ls`, `info`, `cat`, `verify`, `repair`, `export` and
`import`.
"""

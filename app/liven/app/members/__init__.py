"""`liven members`: the members of channels. The command lists them, and says that one will not come back.
Start at `command`."""

"""`liven key`: the shared keys of a cluster. Start at `command`."""

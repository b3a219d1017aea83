"""`liven bench`: the measurements of a source checkout, run by name. Start at `command`."""

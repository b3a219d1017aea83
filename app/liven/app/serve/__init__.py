"""`liven serve`: the membership service, and channels kept for others. Start at `command`."""

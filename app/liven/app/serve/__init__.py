"""`liven serve`: the membership service."""

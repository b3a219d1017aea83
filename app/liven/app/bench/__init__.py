"""`liven bench`: the measurements of a checkout, run by name."""

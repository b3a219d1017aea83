"""`liven open`."""

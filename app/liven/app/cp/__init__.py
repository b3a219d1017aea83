"""`liven cp`: files to all who are in a group."""

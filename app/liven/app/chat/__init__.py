"""`liven chat`: lines of text between the members of a group. Start at `command`."""

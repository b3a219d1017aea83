"""`liven chat`: lines of text among all who are in a group."""

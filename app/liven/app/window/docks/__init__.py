"""The panels at the edges of a window: which exist, which are shown, and their title bars.

The contents of the panels are in `inspector`, `network_panel` and `problems`. Start at `panels`.
"""

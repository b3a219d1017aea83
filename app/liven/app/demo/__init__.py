"""`liven demo`: two programs on one desktop, in windows or, without a display, as a saved picture.

Start at `command`.
"""

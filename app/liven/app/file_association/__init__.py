"""Registering `.liveobject` files and `liven:` links with the user's desktop environment, and undoing that.

Start at `registration`; `liven doctor` checks the result in `doctor.association`.
"""

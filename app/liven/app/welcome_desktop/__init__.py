"""The desktop that a new user sees first: its notes, their initial states and the file it is saved in.

Start at `content`.
"""

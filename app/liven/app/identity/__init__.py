"""The user: the key and the name by which others know them.

Start at `person`; `rename_dialog` is the dialog that changes the name.
"""

"""Lists to choose from: the popover of objects that can be put on a desktop, and the command palette.

Start at `insert_popover` and `command_palette`.
"""

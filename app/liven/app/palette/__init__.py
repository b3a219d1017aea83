"""Lists to choose from: the palette of objects that can be put on a desktop, and the command palette.

Start at `dock` and `command_palette`.
"""

"""Drawings: shapes and ink. A drawing is an item whose recipe holds all of it, so it needs no channel, is
painted by the desktop itself, and goes with its item into folders, files and other desktops.

`view/drawings` paints them, and the tools of `view/tools` draw them. Start in `recipes`.
"""

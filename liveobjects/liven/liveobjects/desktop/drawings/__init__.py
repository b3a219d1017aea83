"""Drawings: shapes and ink. A drawing is an item whose recipe holds all of it, so it needs no channel, is
painted by the desktop itself, and goes with its item into folders, files and other desktops.

How they are painted is in view/items, the tools that draw them in view/tools. Start in recipes.
"""

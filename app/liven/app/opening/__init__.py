"""Reading the thing that is to be opened: a file, a link or a recipe, before there is a window for it.

Opening it in a window is in `window`. Start at `source`.
"""

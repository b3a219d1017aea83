"""The text of items that are not running, so that Find reaches them without starting them.

Start in text_cache. Searching in open views is view/viewport/find_bar.
"""

"""Copies of an object with new channels, alone or with everything inside it.

The menu entries that start a copy are in `window.file_actions`. Start at `recipe`; `deep_copy` adds the
contents.
"""

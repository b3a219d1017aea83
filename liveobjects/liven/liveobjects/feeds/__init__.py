"""Feeds: what live objects produce, kept and played again."""

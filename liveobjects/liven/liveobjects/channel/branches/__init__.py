"""Branches: histories that lost when two parts of a cut met, and were kept aside.

`problems.py` shows each one with its choices (open, merge, discard), `merge.py` merges one without its
objects, and `listing.py` finds those on disk. `replica/disk/kept_branches.py` stores them.
"""

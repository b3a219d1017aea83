"""Branches: histories that lost when two parts of a cut met, kept until a person decides about them.

`problems.py` offers to open, merge or discard each one, `merge.py` merges one without its objects, and
`listing.py` finds those on disk. `replica/disk/kept_branches.py` stores them.
"""

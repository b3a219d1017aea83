"""One channel of one process: the member of the group, its replica and log, and the local objects on it.

`session.py` connects the line, the order, the replica and the store, and delivers to the objects; start
there. The protocols themselves are in `ordering` and `replica`.
"""

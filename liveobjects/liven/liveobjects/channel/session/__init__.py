"""Sessions: one channel of one process, with its group member, replica, log and local objects.

`session.py` connects the line, the order, the replica and the store, and delivers to the objects; start
there. The protocols themselves are in `ordering` and `replica`.
"""

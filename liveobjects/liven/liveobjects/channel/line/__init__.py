"""Lines: one member's connection to one group, over the multicast engine or within a process.

`transport.py` defines the interface; start there. Nothing here knows about order, state or disk.
"""

"""The members of a channel as people know them, and what people say about them.

`known_members.py` remembers names, `listing.py` reads them from the logs on disk, and `declaration.py` tells
the others that members will not come back. Who may confirm operations is in `history/quorum.py`.
"""

"""State transfer: a newcomer asks a member for the state and receives it in slices.

`receiver.py` is the receiving side and `donor.py` the sending side. Start with `slices.py`, which both
use.
"""

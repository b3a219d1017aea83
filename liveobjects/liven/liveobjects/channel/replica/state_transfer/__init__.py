"""How a newcomer gets the state: ask a member, wait, and receive it in slices.

`state_wait.py` is the newcomer's side, `donor.py` the giving side; start with `slices.py`, which both use.
"""

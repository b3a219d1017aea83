"""Everything that a replica keeps on disk, as records in the store of its channel.

State, history and identity are in `persistence.py`; start there. Operations that are not stable yet are in
`journal.py`, the logs of earlier processes in `adopted_logs.py`. Files and segments are in
`channel/store`.
"""

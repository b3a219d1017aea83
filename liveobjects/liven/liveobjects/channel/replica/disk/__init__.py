"""Everything a replica keeps on disk, as records in the store of its channel.

State, history and identity are in `persistence.py`, where to start; operations that are not yet stable in
`journal.py`; logs of earlier processes in `adopted_logs.py`. Files and segments are in `channel/store`.
"""

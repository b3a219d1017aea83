"""`liven backup` and `liven restore`: a person's files as one archive, taken while programs run.

`home_files.py` says what belongs to it, `archive.py` is the format, `restoration.py` puts it in place. Copies
of logs are taken by `liven.liveobjects.channel.store.snapshot`.
"""

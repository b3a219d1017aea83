"""`liven backup` and `liven restore`: a person's files as one archive, taken while programs run.

`home_files.py` says what belongs to it, `archive.py` is the format, `restoration.py` puts it in place, and
`restore_journal.py` finishes that if the computer stopped meanwhile. Copies of logs are taken by
`liven.liveobjects.channel.store.snapshot`.
"""

from typing import Final

JOURNAL: Final = ".liven-restore"
"""The name of the journal of a restore, beside the folder of data."""

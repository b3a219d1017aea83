"""A process that stands in for `liven feeds watch`: prints what its arguments say, and ends as they say.

python stand_in_query.py LINE… — `wait` waits for the end of the input, `die N` ends with N, `complain TEXT`
writes to standard error, anything else is printed.
"""

from __future__ import annotations

import sys

for line in sys.argv[1:]:
    word, _, rest = line.partition(" ")
    if word == "wait":
        while sys.stdin.buffer.read(4096):
            pass
    elif word == "die":
        sys.exit(int(rest))
    elif word == "complain":
        sys.stderr.write(rest + "\n")
    else:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

"""A program joins an object of 10 MB, while a thousand changes a second go on.

It starts with nothing: everything comes over the network from the veteran, which continues meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from channel_figures.program import asked, end, start
from figure_report import Figure


def figures() -> Iterator[Figure]:
    """Yield the time until it is live, and the longest time that a change at the veteran took meanwhile."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        veteran = start("joining_member.py", home, "veteran")
        assert veteran.stdout is not None
        assert veteran.stdin is not None
        assert veteran.stdout.readline() == "full\n"
        veteran.stdin.write("go\n")
        veteran.stdin.flush()
        time.sleep(3.0)
        joiner = start("joining_member.py", home, "joiner")
        assert joiner.stdout is not None
        live = float(joiner.stdout.readline())
        longest = float(asked(veteran, "how long"))
        end(veteran, joiner)
    yield Figure("a joiner of 10 MB is live after", live, "s", 3.0)
    yield Figure("the longest change at a veteran meanwhile", longest * 1000, "ms", 100.0)

"""A thousand durable channels in one program, open and idle: processor, memory, descriptors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from channel_figures.program import end, start
from figure_report import Figure


def figures() -> Iterator[Figure]:
    """Yield the costs of a program over real sockets, with a log on disk, including the counter on each
    channel."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        member = start("idle_channels_member.py", home)
        assert member.stdout is not None
        facts = json.loads(member.stdout.readline())
        end(member)
    yield Figure("idle processor of 1,000 durable channels", facts["idle"] * 100, "% of a core", 2.0)
    yield Figure("memory of a durable channel", facts["bytes"] / 1024, "KiB", 12.0)
    yield Figure("descriptors of 1,000 durable channels", facts["descriptors"], "descriptors", 64)

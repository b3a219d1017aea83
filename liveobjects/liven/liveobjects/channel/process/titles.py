"""Titles of channels for people who watch the network. The names of channels are mostly generated."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Final

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.problems import Path

MOST: Final = 1000
"""Number of titles kept; the oldest are dropped."""


class ChannelTitles:
    """The object that opened each channel last. `changed` is called when a title is new or different."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.names: dict[str, str] = {}
        self._changed = changed

    def opened(self, channel: str, path: Path) -> None:
        """Record that the object at this path opened a channel."""
        name = " / ".join(takewhile(lambda step: not step.startswith("Parameter["), path))
        if not name or self.names.get(channel) == name:
            return
        self.names.pop(channel, None)
        self.names[channel] = name
        while len(self.names) > MOST:
            del self.names[next(iter(self.names))]
        self._changed()


def report_title(context: Context, channel: str) -> None:
    """Report a channel's title, if the program collects titles."""
    try:
        called = context.service(ChannelTitles)
    except CallFailedError:
        return
    called.opened(channel, context.path)

"""What people call the channels of this process, for those who look on from outside: channels have names
that no person gave."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Final

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.problems import Path

MOST: Final = 1000
"""So many are known; the oldest go."""


class ChannelTitles:
    """By channel, the object that it was opened for last. `changed` is called when one is new or another."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.names: dict[str, str] = {}
        self._changed = changed

    def opened(self, channel: str, path: Path) -> None:
        """An object begins on a channel, which stands at this path."""
        name = " / ".join(takewhile(lambda step: not step.startswith("Parameter["), path))
        if not name or self.names.get(channel) == name:
            return
        self.names.pop(channel, None)
        self.names[channel] = name
        while len(self.names) > MOST:
            del self.names[next(iter(self.names))]
        self._changed()


def tell_called(context: Context, channel: str) -> None:
    """A channel tells what it is part of, where the program wants to know."""
    try:
        called = context.service(ChannelTitles)
    except CallFailedError:
        return
    called.opened(channel, context.path)

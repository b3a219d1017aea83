"""The people who record an object: the model behind every "recording" sign.

stop = watch_recorders(context, "channel", self._changed)
names = who_records(context, "channel")  # ("Ann",), or () if nobody records
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from liven.liveobjects.channel.api.names import Companion
from liven.runtime.objects.context import Context

SOMEBODY = "somebody"
RECORDING_SIGN: Final = "recording"
"""The name of each label in a window that says who records."""


def who_records(context: Context, endpoint: str) -> tuple[str, ...]:
    """Return the names of those who record the channel at an object's endpoint, each once."""
    companion = context.shown(endpoint)
    return companion.recorders() if isinstance(companion, Companion) else ()


def watch_recorders(context: Context, endpoint: str, changed: Callable[[], object]) -> Callable[[], object]:
    """Call `changed` whenever those who record that channel change. Return a function that ends this."""
    companion = context.shown(endpoint)
    return companion.watch_recorders(changed) if isinstance(companion, Companion) else _nothing


def recording_text(names: Sequence[str]) -> str:
    """Return the words of the sign; empty if nobody records."""
    if not names:
        return ""
    called = [name or SOMEBODY for name in names]
    before = ", ".join(called[:-1])
    return f"Recording: {f'{before} and ' if before else ''}{called[-1]}"


def _nothing() -> None:
    """Do nothing: there is nothing to end."""

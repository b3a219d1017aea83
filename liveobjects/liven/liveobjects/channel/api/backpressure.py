"""Backpressure: asking a channel for room before an object shows what it is about to send.

People then see at once that an edit is refused, instead of seeing it appear and vanish.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.names import Companion
from liven.runtime.fold.model import RefusedError
from liven.runtime.objects.context import Context

_NO_CHANNEL: Final = "it is not connected to its channel, so nobody else would see the change"


def why_full(context: Context, endpoint: str) -> str:
    """Return the reason why the channel at an endpoint is full; empty if it has room or does not say."""
    companion = context.shown(endpoint)
    return companion.full() if isinstance(companion, Companion) else ""


def check_room(context: Context, endpoint: str) -> None:
    """Raise RefusedError if the channel at an endpoint is full or not connected."""
    why = why_full(context, endpoint) if context.connected(endpoint) else _NO_CHANNEL
    if why:
        raise RefusedError(why)

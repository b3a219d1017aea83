"""Whether a channel takes more, asked before an object shows what it is about to send.

So a person sees at once that an edit is not made, instead of seeing it made and vanish.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.names import Companion
from liven.runtime.fold.model import RefusedError
from liven.runtime.objects.context import Context

_NO_CHANNEL: Final = "it is not connected to its channel, so that nobody else would see it"


def why_full(context: Context, endpoint: str) -> str:
    """Why the channel at an endpoint takes nothing more just now; empty while it does, or does not say."""
    companion = context.shown(endpoint)
    return companion.full() if isinstance(companion, Companion) else ""


def check_room(context: Context, endpoint: str) -> None:
    """RefusedError while the channel at an endpoint takes nothing more, or there is none."""
    why = why_full(context, endpoint) if context.connected(endpoint) else _NO_CHANNEL
    if why:
        raise RefusedError(why)

"""Whether a channel takes more, asked before an object shows what it is about to send.

So a person sees at once that an edit is not made, instead of seeing it made and vanish.
"""

from __future__ import annotations

from liven.liveobjects.channel.names import Companion
from liven.liveobjects.fold.model import RefusedError
from liven.runtime.context import Context


def why_full(context: Context, endpoint: str) -> str:
    """Why the channel at an endpoint takes nothing more just now; empty while it does, or does not say."""
    companion = context.shown(endpoint)
    return companion.full() if isinstance(companion, Companion) else ""


def check_room(context: Context, endpoint: str) -> None:
    """RefusedError while the channel at an endpoint takes nothing more."""
    why = why_full(context, endpoint)
    if why:
        raise RefusedError(why)

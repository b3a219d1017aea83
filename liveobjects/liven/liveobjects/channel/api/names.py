"""The names of channels: `<network>/<folder>/<channel>`, the same for everyone who opens one recipe.

The parts come from the recipe itself, never from a machine's registry. The presence channel of a channel is
the group of the same name with `/presence` at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

PRESENCE: Final = "/presence"
_LONGEST: Final = 200


class ChannelNameError(ValueError):
    """A text that cannot name a channel."""


def check_part(text: str, what: str) -> str:
    """Return `text` if it can be part of a name; else raise ChannelNameError with the reason."""
    if not text:
        raise ChannelNameError(f"{what} is empty; give it a name")
    if len(text) > _LONGEST:
        raise ChannelNameError(f"{what} has {len(text)} characters; {_LONGEST} are allowed")
    if "/" in text or not text.isprintable():
        raise ChannelNameError(f"{what} {text!r} has a slash or an invisible character; remove it")
    return text


def group_name(network: str, folder: str, channel: str) -> str:
    """Return the name of a channel's group."""
    network = check_part(network, "the name of the network")
    folder = check_part(folder, "the id of the folder")
    return f"{network}/{folder}/{check_part(channel, 'the name of the channel')}"


def _never() -> str:
    return ""


def _nobody() -> tuple[str, ...]:
    return ()


def _unwatched(_: Callable[[], object]) -> Callable[[], object]:
    return _never


@dataclass(frozen=True, slots=True)
class Companion:
    """The properties that a channel offers its client besides events: its presence channel, its
    backpressure, and who records it."""

    channel: str
    """The name of the channel's group."""
    full: Callable[[], str] = _never
    """A function that returns the reason why the channel is full; empty while it has room."""

    recorders: Callable[[], tuple[str, ...]] = _nobody
    """A function that returns the names of those who record the channel."""
    watch_recorders: Callable[[Callable[[], object]], Callable[[], object]] = _unwatched
    """A function that calls another one whenever they change, and returns one that ends this."""

    @classmethod
    def of(cls, name: str, full: Callable[[], str] = _never) -> Companion:
        """Return the companion of the channel whose group is called `name`."""
        return cls(name, full)

    @property
    def presence(self) -> str:
        """The name of the presence channel's group."""
        return self.channel + PRESENCE


def fresh_name() -> str:
    """Return an unused name, for channels of objects that a program creates."""
    return secrets.token_hex(16).upper()

"""The names of channels: `<network>/<folder>/<channel>`, the same for all who follow one recipe.

The parts come from the recipe as it is written, and never from what a registry of one machine answers to
it. Presence of a channel is the group of the same name and `/presence`.
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
    """`text`, if it can be a part of a name; a ChannelNameError that says why not."""
    if not text:
        raise ChannelNameError(f"{what} is empty; give it a name")
    if len(text) > _LONGEST:
        raise ChannelNameError(f"{what} has {len(text)} characters; {_LONGEST} are allowed")
    if "/" in text or not text.isprintable():
        raise ChannelNameError(
            f"{what} {text!r} has a slash or a character that cannot be seen; leave it out"
        )
    return text


def group_name(network: str, folder: str, channel: str) -> str:
    """The name of a channel's group."""
    network = check_part(network, "the name of the network")
    folder = check_part(folder, "the id of the folder")
    return f"{network}/{folder}/{check_part(channel, 'the name of the channel')}"


def _never() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Companion:
    """What a channel shows to its client beside its events: where presence is, for those who are in it, and
    whether it takes more."""

    channel: str
    """The name of the channel's group."""
    full: Callable[[], str] = _never
    """Why it takes nothing more just now; empty while it does."""

    @classmethod
    def of(cls, name: str, full: Callable[[], str] = _never) -> Companion:
        """That of the channel whose group is called `name`."""
        return cls(name, full)

    @property
    def presence(self) -> str:
        """The name of the presence channel's group."""
        return self.channel + PRESENCE


def fresh_name() -> str:
    """A name that nobody else has: for channels of objects that a program makes."""
    return secrets.token_hex(16).upper()

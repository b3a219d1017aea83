"""Channels kept for others: a replica of each, without its object."""

from __future__ import annotations

import os
from collections.abc import Sequence

from liven.liveobjects.channel.api.names import ChannelNameError, group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION
from liven.liveobjects.channel.composition import Channels
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.process.headless import RunOptions, run_headless
from liven.runtime.reference.model import Document, Parameter, Plain, Reference
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders


def names_of(channels: Sequence[str], network: str) -> list[str]:
    """Return the group of each channel, once. A plain name is in the well-known folder. Raise
    ChannelNameError for an invalid name."""
    return list(dict.fromkeys(_name_of(channel, network) for channel in channels))


def _name_of(channel: str, network: str) -> str:
    parts = channel.split("/")
    if len(parts) == 1:
        return group_name(network, COMMUNICATION, channel)
    if len(parts) != 3:
        raise ChannelNameError(f"{channel!r} is not a channel; use NAME or NETWORK/FOLDER/NAME")
    return group_name(*parts)


def keep(config: EngineConfig, names: Sequence[str], network: str, *, as_json: bool) -> int:
    """Keep the channels of these groups until a signal; return 1 if one of them could not be kept."""
    files = {name: write(Document(_recipe(name))) for name in names}
    folders = UserFolders.of_user(os.environ)
    return run_headless(RunOptions(files, as_json=as_json), Channels(config, folders, network=network))


def _recipe(name: str) -> Reference:
    return Reference("liven:channel-keeper", (Parameter("name", Plain("string", name)),))

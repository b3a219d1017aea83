"""`liven run`: the runtime's command, with channels over the network."""

from __future__ import annotations

import argparse
import os

from liven.app.confined.settings import add_argument, placement_of
from liven.app.network.settings import add_arguments
from liven.runtime.commands import run as objects

_NETWORK_HELP = "the name of the network (home)"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the runtime's command and those of the network."""
    objects.configure(parser)
    add_argument(parser)
    parser.add_argument("--network", default="home", metavar="NAME", help=_NETWORK_HELP)
    add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run objects; the engine starts when the first of them opens a channel."""
    from liven.app.network.cli import config_of  # slow to import
    from liven.app.network.object_limits import limits_of
    from liven.app.trust.earlier_libraries import mark_earlier_libraries
    from liven.liveobjects.channel.composition import Channels
    from liven.runtime.user_folders import UserFolders

    folders = UserFolders.of_user(os.environ)
    placement, limits = placement_of(arguments, folders.config), limits_of(folders)
    mark_earlier_libraries(folders)
    channels = Channels(config_of(arguments), folders, network=arguments.network, limits=limits)
    return objects.run(arguments, channels, placement)

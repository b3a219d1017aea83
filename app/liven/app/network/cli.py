"""What the commands that use the network share: settings or a complaint, and an engine."""

from __future__ import annotations

import argparse
import os
import sys

from liven.app.network.settings import SettingError, engine_config, read_settings
from liven.app.network.terminal_log import speak
from liven.multicast.errors import MulticastError
from liven.multicast.shared_log import write_log
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.user_folders import UserFolders

OK, NO, BAD_USE, ENVIRONMENT = 0, 1, 2, 3


def config_of(arguments: argparse.Namespace) -> EngineConfig:
    """The engine's configuration, its log begun; ends the program with an exit code when it cannot be."""
    folders = UserFolders.of_user(os.environ)
    speak()
    try:
        config = engine_config(folders, read_settings(folders, os.environ, arguments))
        if config.log is not None:
            write_log(config.log)
    except SettingError as error:
        raise SystemExit(complain(str(error), BAD_USE)) from error
    except MulticastError as error:
        raise SystemExit(complain(str(error), ENVIRONMENT)) from error
    return config


def complain(text: str, code: int) -> int:
    """Prints what is wrong, and returns the exit code."""
    print(f"liven: {text}", file=sys.stderr)
    return code


def group_fault(name: str) -> str:
    """Why nobody could be in a group of this name with others; empty if they can."""
    if name and name.isprintable():
        return ""
    return f"{name!a} cannot be the name of a group; write one that others can type"


def printable(text: str) -> str:
    """What others wrote, without what would move a terminal's cursor or colour its text."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def many(count: int, what: str) -> str:
    """`1 member`, `2 members`."""
    return f"{count} {what}{'' if count == 1 else 's'}"

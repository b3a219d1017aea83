"""Helpers for commands that use the network: reading settings, printing errors, checking group names."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.multicast.socket_engine import EngineConfig


def config_of(arguments: argparse.Namespace) -> EngineConfig:
    """Return the engine's configuration and start its log; exit with an error if the settings are invalid."""
    # Commands that only print, such as a client of another process, load none of the engine.
    from liven.app.network.settings import SettingError, engine_config, read_settings
    from liven.app.network.terminal_log import install
    from liven.multicast.errors import MulticastError
    from liven.multicast.shared_log import write_log

    folders = UserFolders.of_user(os.environ)
    install()
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
    """Print an error and return the exit code."""
    print(f"liven: {text}", file=sys.stderr)
    return code


def group_fault(name: str) -> str:
    """Return the reason why a group name is invalid; empty if it is valid."""
    if name and name.isprintable():
        return ""
    return f"{name!a} is not a valid group name; use printable characters"


def printable(text: str) -> str:
    """Return text from others without control characters that move the cursor or change colours."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def many(count: int, what: str) -> str:
    """Return `1 member` or `2 members`."""
    return f"{count} {what}{'' if count == 1 else 's'}"

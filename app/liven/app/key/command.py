"""`liven key`: show the keys of the cluster, and replace one by another in three steps."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path

from liven.app.network.cli import complain
from liven.app.network.settings import SettingError, add_arguments, key_file, read_settings
from liven.multicast.key_file import (
    ClusterKeys,
    KeyFileError,
    add_key,
    drop_key,
    ensure_keys,
    fingerprint,
    switch_keys,
)
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, OK
from liven.runtime.user_folders import UserFolders

_COPY = "copy {path} to all machines and restart their programs"
_STEPS: dict[str, tuple[Callable[[Path], ClusterKeys], str, str]] = {
    "show": (ensure_keys, "show the keys, creating the first one if there is none", ""),
    "add": (
        add_key,
        "add a second key, accepted but not yet used for sending",
        f"{_COPY}; then: liven key switch",
    ),
    "switch": (
        switch_keys,
        "send with the second key, and still accept the first",
        f"{_COPY}; then: liven key drop",
    ),
    "drop": (drop_key, "remove the key that is no longer used for sending", _COPY),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven key`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("step", nargs="?", choices=_STEPS, default="show", help="the step to take (show)")
    parser.add_argument("--json", action="store_true", help="print the fingerprints as one JSON object")
    add_arguments(parser)
    lines = "\n".join(f"  {name:<7} {what}" for name, (_, what, _) in _STEPS.items())
    parser.epilog = (
        f"{lines}\n\nTo replace a key without interruption, use `add`, `switch` and `drop`, each on "
        "one machine;\nafter each step, copy the file to all other machines and restart their programs.\n"
        "Exit code: 0 done, 2 a setting is invalid, 3 the file cannot be used."
    )


def run(arguments: argparse.Namespace) -> int:
    """Take one of the steps."""
    folders = UserFolders.of_user(os.environ)
    try:
        path = key_file(folders, read_settings(folders, os.environ, arguments))
    except SettingError as error:
        return complain(str(error), BAD_USE)
    step, _, then = _STEPS[arguments.step]
    try:
        keys = step(path)
    except KeyFileError as error:
        return complain(str(error), ENVIRONMENT)
    _say(path, keys, as_json=arguments.json)
    if then and not arguments.json:
        print(f"now {then.format(path=path)}")
    return OK


def _say(path: Path, keys: ClusterKeys, *, as_json: bool) -> None:
    shown = [fingerprint(keys, index) for index in range(len(keys.keys))]
    if as_json:
        print(json.dumps({"file": str(path), "speaks": shown[0], "hears": shown}))
        return
    print(path)
    for index, each in enumerate(shown):
        print(f"  {each:<14} {'sends and accepts' if index == 0 else 'accepts'}")

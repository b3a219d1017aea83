"""`liven key`: the keys of the cluster, the person's own signing key, and the signers that are known."""

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


_SIGNING = {
    "make": "NAME: make the key that you sign with, under that name",
    "sign": "FILE or LIBRARY: sign an object's file, or a library in a file beside it",
    "list": "list the signers that you know",
    "forget": "NAME or KEY: forget a signer, so that another key may have the name",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven key`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    steps = (*_STEPS, *_SIGNING)
    parser.add_argument("step", nargs="?", choices=steps, default="show", help="the step to take (show)")
    parser.add_argument("what", nargs="?", default="", metavar="WHAT", help="a file, a library or a signer")
    parser.add_argument("--json", action="store_true", help="print the fingerprints as one JSON object")
    add_arguments(parser)
    lines = "\n".join(f"  {name:<7} {what}" for name, (_, what, _) in _STEPS.items())
    signing = "\n".join(f"  {name:<7} {what}" for name, what in _SIGNING.items())
    parser.epilog = (
        f"Keys of the cluster:\n{lines}\n\nSignatures:\n{signing}\n\n"
        "To replace a key without interruption, use `add`, `switch` and `drop`, each on "
        "one machine;\nafter each step, copy the file to all other machines and restart their programs.\n"
        "Exit code: 0 done, 1 a signature does not hold, 2 a setting is invalid, 3 the file cannot be used."
    )


def run(arguments: argparse.Namespace) -> int:
    """Take one of the steps."""
    folders = UserFolders.of_user(os.environ)
    if arguments.step in _SIGNING or arguments.what:
        return _run_signing(folders, arguments)
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
    if arguments.step == "show" and not arguments.json:
        return _say_own(folders)
    if then and not arguments.json:
        print(f"now {then.format(path=path)}")
    return OK


def _run_signing(folders: UserFolders, arguments: argparse.Namespace) -> int:
    """Take a step about signatures. Its code is imported now, because the other steps do not need it."""
    from liven.app.key import signing

    step, what, as_json = arguments.step, arguments.what, arguments.json
    if step == "make":
        return signing.make(folders, what, as_json=as_json)
    if step == "list" and not what:
        return signing.listed(folders, as_json=as_json)
    if step in ("sign", "forget") and not what:
        return complain(f"liven key {step} needs {_SIGNING[step].partition(':')[0]}", BAD_USE)
    if step == "sign":
        return signing.sign(folders, Path(what), as_json=as_json)
    if step == "forget":
        return signing.forget(folders, what, as_json=as_json)
    if step == "show":
        return signing.show_file(folders, Path(what), as_json=as_json)
    return complain(f"liven key {step} takes nothing more, but {what!r} is given", BAD_USE)


def _say_own(folders: UserFolders) -> int:
    from liven.runtime.signing.own_key import OwnKeyError, key_path, read_key

    try:
        from liven.app.key.signing import say_own

        say_own(read_key(folders.config), key_path(folders.config))
    except OwnKeyError as error:
        return complain(str(error), ENVIRONMENT)
    return OK


def _say(path: Path, keys: ClusterKeys, *, as_json: bool) -> None:
    shown = [fingerprint(keys, index) for index in range(len(keys.keys))]
    if as_json:
        print(json.dumps({"file": str(path), "speaks": shown[0], "hears": shown}))
        return
    print(path)
    for index, each in enumerate(shown):
        print(f"  {each:<14} {'sends and accepts' if index == 0 else 'accepts'}")

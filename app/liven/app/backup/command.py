"""`liven backup`: write a person's files into one archive, while programs go on."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.app.network.cli import complain, many
from liven.app.network.settings import SettingError, key_file, read_settings
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, OK
from liven.runtime.files import readable_size
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.backup.archive import ListedFile

SUFFIX: Final = ".livenbackup"
_DRAFT: Final = ".part"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven backup`."""
    parser.add_argument("target", metavar="FILE|FOLDER", help="the archive, or the folder for it")
    parser.add_argument("--with-keys", action="store_true", help="also the secret keys")
    parser.add_argument("--replace", action="store_true", help="replace an archive that is there")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.epilog = (
        "In it: settings, trust, objects, libraries, what channels stored, undo lists, places of windows.\n"
        "Not in it: the cache, run logs, recorded feeds, and, without --with-keys, cluster.key, user.keys\n"
        "and signing.key. Programs may run meanwhile.\n"
        "Exit code: 0 written; 2 the target is there already, or cannot be one; 3 it cannot be written."
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the archive."""
    target = _target(Path(arguments.target))
    if target.exists() and not arguments.replace:
        return complain(f"{target} is there already; choose another name, or add --replace", BAD_USE)
    if not target.parent.is_dir():
        return complain(f"there is no folder {target.parent}", BAD_USE)
    folders = UserFolders.of_user(os.environ)
    try:
        listed = _written(target, folders, keys=arguments.with_keys)
    except SettingError as error:
        return complain(f"no backup was made, because the secret keys are not known: {error}", BAD_USE)
    except OSError as error:
        return complain(
            f"no backup was made: {error.filename or target}: {error.strerror or error}", ENVIRONMENT
        )
    size = sum(each.size for each in listed)
    if arguments.json:
        print(
            json.dumps(
                {"file": str(target), "files": len(listed), "bytes": size, "keys": arguments.with_keys}
            )
        )
    else:
        print(f"{target}: {many(len(listed), 'file')}, {readable_size(size)}")
        if not arguments.with_keys:
            print("The secret keys are not in it; keep them apart, or use --with-keys and guard the archive.")
    return OK


def _target(named: Path) -> Path:
    return named / f"liven-{time.strftime('%Y-%m-%d-%H%M%S')}{SUFFIX}" if named.is_dir() else named


def _written(target: Path, folders: UserFolders, *, keys: bool) -> list[ListedFile]:
    """Write the archive beside its place, force it to disk, and move it there."""
    from liven.app.backup.archive import write_archive
    from liven.app.backup.home_files import home_files
    from liven.app.cp.progress import ProgressLine

    cluster_key = None if keys else key_file(folders, read_settings(folders, os.environ))
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    draft = target.with_name(f".{target.name}.{os.urandom(8).hex()}{_DRAFT}")
    try:
        with (
            home_files(folders, keys=keys, cluster_key=cluster_key) as files,
            os.fdopen(os.open(draft, flags, 0o600), "w+b") as stream,
        ):
            listed = write_archive(stream, files, ProgressLine("Backing up").show)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return listed

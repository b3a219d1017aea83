"""`liven restore`: put the files of a backup in place."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from liven.app.network.cli import complain, many
from liven.app.network.settings import SettingError, key_file, read_settings
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import readable_size
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.backup.archive import Archive


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven restore`."""
    parser.add_argument("file", metavar="FILE", help="an archive of `liven backup`")
    parser.add_argument("--replace", action="store_true", help="move the present files aside")
    parser.add_argument("--check", action="store_true", help="only check that the archive is whole")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.epilog = (
        "Every checksum is checked before anything changes. Keys of this computer stay if the archive has\n"
        "none. What others received since the backup comes back from them.\n"
        "Exit code: 0 restored, or whole; 1 nothing was changed: programs run, or files are there; 2 the\n"
        "archive cannot be read, is cut or damaged; 3 the disk does not take it."
    )


def run(arguments: argparse.Namespace) -> int:
    """Restore or check the archive."""
    from liven.app.backup.archive import Archive, BadArchiveError
    from liven.app.backup.restoration import RestoreError

    try:
        archive = Archive(Path(arguments.file))
    except BadArchiveError as error:
        return complain(str(error), BAD_USE)
    except OSError as error:
        return complain(f"{arguments.file}: {error.strerror or error}", BAD_USE)
    try:
        return _check(archive, arguments) if arguments.check else _restore(archive, arguments)
    except BadArchiveError as error:
        return complain(f"{error}; nothing was changed", BAD_USE)
    except RestoreError as error:
        return complain(str(error), NO)
    except OSError as error:
        what = f"{error.filename or arguments.file}: {error.strerror or error}"
        return complain(f"nothing was restored: {what}", ENVIRONMENT)
    finally:
        archive.close()


def _check(archive: Archive, arguments: argparse.Namespace) -> int:
    from liven.app.cp.progress import ProgressLine

    archive.check(ProgressLine("Checking").show)
    return _say(archive, arguments, "is whole", [])


def _restore(archive: Archive, arguments: argparse.Namespace) -> int:
    from liven.app.backup.restoration import restore
    from liven.app.cp.progress import ProgressLine

    folders = UserFolders.of_user(os.environ)
    key = None
    with suppress(SettingError):  # without valid settings, nothing names a key that could be in use
        key = key_file(folders, read_settings(folders, os.environ))
    bar = ProgressLine("Restoring")
    moved = restore(archive, folders, bar.show, replace=arguments.replace, cluster_key=key)
    return _say(archive, arguments, "is restored", moved)


def _say(archive: Archive, arguments: argparse.Namespace, done: str, moved: list[Path]) -> int:
    files, size = len(archive.files), archive.size
    if arguments.json:
        aside = [str(each) for each in moved]
        print(json.dumps({"file": arguments.file, "files": files, "bytes": size, "aside": aside}))
        return OK
    print(f"{arguments.file} {done}: {many(files, 'file')}, {readable_size(size)}")
    for each in moved:
        print(f"The earlier files are in {each}; delete them when you do not miss anything.")
    return OK

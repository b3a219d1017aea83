"""`liven library`: install, list, remove and verify libraries."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.errors import (
    BundleError,
    CodeError,
    DamagedError,
    LibraryError,
    NamelessError,
)
from liven.runtime.library.fetching.bundle import Bundle, read_bundle
from liven.runtime.library.store import Damaged, Installed, Store
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.reference import ids
from liven.runtime.user_folders import UserFolders
from liven.types.ids import ClassId


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="install a folder, a .zip or a .py file")
    kinds = "a .py file with a LIBRARY, a folder of a library, or a .zip of one"
    add.add_argument("path", type=Path, metavar="PATH", help=kinds)
    unnamed = "which library a .py file is that has no LIBRARY"
    add.add_argument("--id", default="", metavar="NAMESPACE`VERSION", help=unnamed)
    listing = actions.add_parser("list", help="list what is installed, and what each declares")
    remove = actions.add_parser("remove", help="remove one version, or every version")
    remove.add_argument("library", metavar="NAMESPACE[`VERSION]")
    verify = actions.add_parser("verify", help="check that libraries are as they were installed, and import")
    verify.add_argument("library", nargs="?", default="", metavar="NAMESPACE[`VERSION]")
    for action in (add, listing, verify):
        action.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand; return 1 if the answer is no."""
    folders = UserFolders.of_user(os.environ)
    index = ClassIndex(Store(folders.data / "libraries"), folders.cache / "libraries")
    actions = {"add": _add, "list": _list, "remove": _remove, "verify": _verify}
    try:
        return actions[arguments.action](index, arguments)
    except LibraryError as error:
        print(error, file=sys.stderr)
        print(_way_to(error), file=sys.stderr, end="")
        return NO
    except OSError as error:
        print(explain_os_error(error, folders.data), file=sys.stderr)
        return ENVIRONMENT


def _way_to(error: LibraryError) -> str:
    """Return the traceback without its last line, which the error already shows."""
    lines = str(getattr(error, "detail", "")).splitlines(keepends=True)
    said = bool(lines) and str(error).endswith(lines[-1].strip())
    return "".join(lines[:-1] if said else lines)


def _bundle(path: Path, identity: str) -> Bundle:
    """Return the bundle to install; raise BundleError."""
    try:
        return read_bundle(path, identity)
    except NamelessError as error:
        fresh = f"{secrets.token_hex(16).upper()}`1"
        if identity:
            told = f"--id is {identity!r}; it has to be NAMESPACE`VERSION in single quotes, such as '{fresh}'"
            raise BundleError(told) from None
        raise error.mended_by(fresh, ", which is a fresh name, or give --id its name") from None


def _add(index: ClassIndex, arguments: argparse.Namespace) -> int:
    """Install a library once its code was imported on trial:
    an installed library runs without a question."""
    if not arguments.path.exists():
        reason = "is a link that leads nowhere" if arguments.path.is_symlink() else "does not exist"
        print(f"{arguments.path} {reason}", file=sys.stderr)
        return BAD_USE
    attempt = partial(index.declares, afresh=True)
    installed, new = index.store.add(_bundle(arguments.path, arguments.id), attempt)
    if not new:
        attempt(installed)
    if arguments.json:
        print(json.dumps({"new": new, **_record(index, installed)}, indent=1, ensure_ascii=False))
    else:
        print("installed" if new else "installed already")
        print("\n".join(_lines(index, installed)))
    return OK


def _list(index: ClassIndex, arguments: argparse.Namespace) -> int:
    found = list(index.store.all())
    if arguments.json:
        print(json.dumps([_record(index, one) for one in found], indent=1, ensure_ascii=False))
        return OK
    for one in found:
        print("\n".join(_lines(index, one)))
    if not found:
        print("no library is installed; `liven library add PATH` installs one")
    return OK


def _remove(index: ClassIndex, arguments: argparse.Namespace) -> int:
    found = [one for one in _named(index, arguments.library) if isinstance(one, Installed)]
    if not found:
        print(f"{arguments.library} is not installed; `liven library list` shows what is", file=sys.stderr)
        return NO
    for one in found:
        index.store.remove(one)
        print(f"removed {one.library}")
    return OK


def _verify(index: ClassIndex, arguments: argparse.Namespace) -> int:
    rows = [_record(index, one, afresh=True) for one in _named(index, arguments.library)]
    if arguments.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    for row in () if arguments.json else rows:
        print(f"{row['library']}: {row['problem'] or 'sound, sha256 ' + str(row['sha256'])}")
    if arguments.library and not rows:
        print(f"{arguments.library} is not installed; `liven library list` shows what is", file=sys.stderr)
        return NO
    return NO if any(row["problem"] for row in rows) else OK


def _named(index: ClassIndex, text: str) -> Iterator[Installed | Damaged]:
    """Return the libraries that `NAMESPACE` or `NAMESPACE`VERSION` names; all for an empty text."""
    wanted = ids.parse(text)
    for one in index.store.all():
        if not text or _is(one, wanted, exactly="`" in text):
            yield one


def _is(one: Installed | Damaged, wanted: ClassId | None, *, exactly: bool) -> bool:
    if wanted is None or isinstance(one, Damaged):
        return False
    return one.namespace == wanted.component and (not exactly or one.version == wanted.version)


def _record(index: ClassIndex, one: Installed | Damaged, *, afresh: bool = False) -> dict[str, object]:
    if isinstance(one, Damaged):
        name = f"{one.path.parent.name}`{one.path.name}"
        return {
            "library": name,
            "path": str(one.path),
            "sha256": "",
            "fetched": False,
            "declares": [],
            "problem": one.reason,
        }
    declares: list[dict[str, str]] = []
    problem = sha256 = ""
    try:
        sha256 = one.verified()
        told = index.declares(one, afresh=afresh)
        declares = [{"kind": d.kind, "id": d.id, "alias": d.alias, "module": d.module} for d in told]
    except (CodeError, DamagedError) as error:
        problem = error.reason
    return {
        "library": one.library,
        "path": str(one.path),
        "sha256": sha256,
        "fetched": one.fetched,
        "declares": declares,
        "problem": problem,
    }


def _lines(index: ClassIndex, one: Installed | Damaged) -> Iterator[str]:
    if isinstance(one, Damaged):
        yield f"{one.path}: damaged, {one.reason}"
        return
    name = f"  {one.metadata.name}" if one.metadata.name else ""
    yield f"{one.library}{name}  sha256 {one.sha256()}"
    if one.fetched:
        yield "  came with a recipe: it runs in a process of its own; liven library add PATH vouches for it"
    try:
        one.verified()
        for declared in index.declares(one):
            yield f"  {declared.kind} {declared.alias}" + (
                f"  {ids.brief(declared.id)}" if declared.id else ""
            )
    except (CodeError, DamagedError) as error:
        yield f"  {error.reason}"

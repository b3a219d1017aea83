"""`liven branches`: list the channel histories that were not continued, and open, merge or discard one."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from liven.app.network.cli import complain, config_of, many, printable
from liven.app.network.settings import add_arguments
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.liveobjects.channel.branches.listing import ListedBranch
    from liven.runtime.reference.model import Object

_WHICH_HELP = "only the branches of this channel (NAME or NETWORK/FOLDER/NAME) or of the object in this file"
_NETWORK_HELP = "the network of a channel given by NAME, and the one to merge in (home)"


class _NoneSuchError(Exception):
    """Raised when an argument names no branch."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven branches`."""
    parser.add_argument("which", metavar="CHANNEL|FILE", nargs="?", default="", help=_WHICH_HELP)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--open", metavar="BRANCH", help="show the object in FILE as it is in this branch")
    what.add_argument("--merge", metavar="BRANCH", help="add its operations to the channel")
    what.add_argument("--discard", metavar="BRANCH", help="delete it from this computer")
    parser.add_argument("--json", action="store_true", help="print the list as one JSON array")
    parser.add_argument("--network", default="home", metavar="NAME", help=_NETWORK_HELP)
    add_arguments(parser)
    parser.epilog = (
        "A BRANCH may be shortened to the part after its channel's name if that is unique.\n"
        "A branch that a running program uses is merged or discarded in that program.\n"
        "Exit code: 0 done, or listed; 1 no such branch, or it could not be merged; 2 the argument "
        "is neither a\nchannel nor a file; 3 it cannot be done here."
    )


def run(arguments: argparse.Namespace) -> int:
    """List the branches, or do one of the three things."""
    from liven.app.opening.source import UnopenableError
    from liven.liveobjects.channel.api.names import ChannelNameError
    from liven.liveobjects.channel.branches.listing import HeldError

    try:
        return _do(arguments)
    except ChannelNameError as error:
        return complain(f"{error}; and there is no file with this name", BAD_USE)
    except UnopenableError as error:
        return complain(str(error), BAD_USE)
    except _NoneSuchError as error:
        return complain(str(error), NO)
    except HeldError as error:
        return complain(f"{error}; decide there, or quit it first", ENVIRONMENT)
    except OSError as error:
        return complain(f"{error.filename or 'the log of channels'}: {error.strerror or error}", ENVIRONMENT)


def _do(arguments: argparse.Namespace) -> int:
    from liven.liveobjects.channel.branches.listing import discard, listed_branches

    root = UserFolders.of_user(os.environ).data / "channels"
    thing = _recipe(Path(arguments.which)) if _is_file(arguments.which) else None
    found = _of(listed_branches(root), arguments.which, arguments.network, thing)
    if arguments.open is not None:
        return _open(arguments, thing, _named(found, arguments.open))
    if arguments.merge is not None:
        return _merge(arguments, _named(found, arguments.merge))
    if arguments.discard is not None:
        one = _named(found, arguments.discard)
        return OK if discard(root, one.channel, one.name) else NO
    _list(found, as_json=arguments.json)
    return OK


def _is_file(which: str) -> bool:
    """Return True if an argument names a file, existing or not, and not a channel."""
    try:
        return which.endswith(SUFFIX) or (bool(which) and Path(which).exists())
    except OSError:
        return False  # an invalid file name, or a folder without access


def _recipe(path: Path) -> Object:
    """Return the recipe in a file; raise UnopenableError if there is none."""
    from liven.app.opening.source import read_bytes, recipe_in

    return recipe_in(read_bytes(path))


def _of(found: list[ListedBranch], which: str, network: str, thing: Object | None) -> list[ListedBranch]:
    """Return the branches of a channel, of an object's channels, or all."""
    from liven.app.serve.kept_channels import names_of
    from liven.liveobjects.channel.branches.problems import on_branch

    if thing is not None:
        return [each for each in found if on_branch(thing, each.channel, each.name) != thing]
    if not which:
        return found
    (channel,) = names_of([which], network)
    return [each for each in found if each.channel == channel]


def _named(found: list[ListedBranch], name: str) -> ListedBranch:
    """Return the branch with this name or with a name that ends so; among several logs, one that no program
    uses."""
    matching = [each for each in found if name and (each.name == name or _end(each) == name)]
    if len({each.name for each in matching}) > 1:
        raise _NoneSuchError(f"{name!r} matches several branches; give a full name")
    if not matching:
        known = ", ".join(dict.fromkeys(printable(each.name) for each in found)) or "none"
        raise _NoneSuchError(f"there is no branch {name!r} here, only: {known}")
    return min(matching, key=lambda each: each.held)


def _end(each: ListedBranch) -> str:
    return each.name.removeprefix(each.channel).lstrip("~")


def _list(found: list[ListedBranch], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([asdict(each) for each in found], indent=1))
        return
    for each in found:
        print(f"{printable(each.name)}  {_words(each)}")
    if not found:
        print("there are no branches here")


def _words(each: ListedBranch) -> str:
    if each.trouble:
        return f"cannot be read: {printable(each.trouble)}"
    words = f"{many(each.missing, 'operation')} missing from {printable(each.channel)}"
    words += ", and more that only its state contains" if each.folded else ""
    return words + (" (used by a running program)" if each.held else "")


def _open(arguments: argparse.Namespace, thing: Object | None, one: ListedBranch) -> int:
    """Show the object in two windows: as it is, and as it is in the branch."""
    from liven.app.open import command as windows
    from liven.app.opening.link_url import link_to
    from liven.liveobjects.channel.branches.problems import on_branch
    from liven.runtime.reference.model import Document
    from liven.runtime.reference.xml import write

    if thing is None:
        return complain(
            "--open needs the file of the object, which says what kind of object is on the channel", BAD_USE
        )
    link = link_to(write(Document(on_branch(thing, one.channel, one.name))))
    parser = argparse.ArgumentParser()
    windows.configure(parser)
    defaults = vars(parser.parse_args([arguments.which, link]))
    return windows.run(argparse.Namespace(**{**vars(arguments), **defaults, "network": arguments.network}))


def _merge(arguments: argparse.Namespace, one: ListedBranch) -> int:
    from liven.app.branches.merge_command import merge
    from liven.liveobjects.channel.branches.listing import HeldError

    if one.held:
        raise HeldError(f"a running program uses {one.name}")
    if one.trouble or not one.missing:
        return complain(f"{one.name} cannot be merged: {one.trouble or 'it has no operations'}", NO)
    why = merge(config_of(arguments), one.channel, one.name, arguments.network)
    return complain(f"{one.name} was not merged: {why}", NO) if why else OK

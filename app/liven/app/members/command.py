"""`liven members`: list the members that channels count on, and say that one will not come back."""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from liven.app.network.cli import complain, config_of, printable
from liven.app.network.settings import add_arguments
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.liveobjects.channel.members.listing import ListedMember

_SHORT = 8
_CHANNEL_HELP = "only the members of this channel (NAME or NETWORK/FOLDER/NAME)"
_FORGET_HELP = "say that this member will not come back; may be given more than once"
_NETWORK_HELP = "the network of a channel given by NAME (home)"


class _NoneSuchError(Exception):
    """Raised when an argument names no member."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven members`."""
    parser.add_argument("channel", metavar="CHANNEL", nargs="?", default="", help=_CHANNEL_HELP)
    parser.add_argument("--forget", metavar="MEMBER", action="append", default=[], help=_FORGET_HELP)
    parser.add_argument("--json", action="store_true", help="print the list as one JSON array")
    parser.add_argument("--network", default="home", metavar="NAME", help=_NETWORK_HELP)
    add_arguments(parser)
    parser.epilog = (
        "A MEMBER is a name or an identity from the list, which may be shortened if it stays unique.\n"
        "Changes are confirmed by a majority of these members. Forget one only if it never comes back: the\n"
        "others then confirm without it, and what only it has becomes a branch if it does return.\n"
        "Exit code: 0 done, or listed; 1 no such member, or nothing waits for it; 2 the argument is no "
        "channel;\n3 it cannot be done here."
    )


def run(arguments: argparse.Namespace) -> int:
    """List the members, or forget some."""
    from liven.liveobjects.channel.api.names import ChannelNameError

    try:
        return _do(arguments)
    except ChannelNameError as error:
        return complain(str(error), BAD_USE)
    except _NoneSuchError as error:
        return complain(str(error), NO)
    except OSError as error:
        return complain(f"{error.filename or 'the log of channels'}: {error.strerror or error}", ENVIRONMENT)


def _do(arguments: argparse.Namespace) -> int:
    from liven.app.serve.kept_channels import names_of
    from liven.liveobjects.channel.members.listing import listed_members

    found = listed_members(UserFolders.of_user(os.environ).data / "channels")
    if not arguments.channel and arguments.forget:
        return complain("--forget needs the CHANNEL", BAD_USE)
    if arguments.channel:
        (channel,) = names_of([arguments.channel], arguments.network)
        found = [each for each in found if each.channel == channel]
    if not arguments.forget:
        _list(found, as_json=arguments.json)
        return OK
    return _forget(arguments, channel, [_named(found, each) for each in arguments.forget])


def _named(found: list[ListedMember], wanted: str) -> ListedMember:
    """Return the member with this name or with an identity that begins so."""
    matching = [
        each for each in found if wanted and (each.name == wanted or each.identity.startswith(wanted))
    ]
    if len(matching) > 1:
        raise _NoneSuchError(f"{wanted!r} matches several members; give an identity")
    if not matching:
        known = ", ".join(_words(each) for each in found) or "none"
        raise _NoneSuchError(f"there is no member {wanted!r} here, only: {known}")
    if matching[0].own:
        raise _NoneSuchError(f"{wanted} is this computer itself")
    return matching[0]


def _forget(arguments: argparse.Namespace, channel: str, members: list[ListedMember]) -> int:
    from liven.app.network.channel_program import run_on_channels
    from liven.liveobjects.channel.members.declaration import Declaration

    gone = [bytes.fromhex(each.identity) for each in members]
    why = run_on_channels(
        config_of(arguments),
        arguments.network,
        lambda system, done: Declaration(system, channel, gone, done),
        lambda _: False,
    )
    if why:
        return complain(f"nothing was changed in {channel}: {why}", NO)
    names = " and ".join(_words(each) for each in members)
    print(f"{printable(channel)} goes on without {names}")
    return OK


def _list(found: list[ListedMember], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([asdict(each) for each in found], indent=1))
        return
    for each in found:
        print(f"{printable(each.channel)}  {_words(each)}  {_seen(each)}")
    if not found:
        print("there are no members here")


def _words(each: ListedMember) -> str:
    return f"{each.identity[:_SHORT]} {printable(each.name)}".rstrip()


def _seen(each: ListedMember) -> str:
    if each.own:
        return "this computer"
    if not each.last_here:
        return "never seen here"
    return time.strftime("last here %Y-%m-%d %H:%M", time.localtime(each.last_here))

"""`liven chat GROUP`: send what you type to all members, and print what they type."""

from __future__ import annotations

import argparse
import dataclasses
import os
import secrets
import select
import sys
import time
from collections.abc import Sequence

from liven.app.chat.names import NAME_MOST, Names, user_name
from liven.app.network.cli import complain, config_of, group_fault
from liven.app.network.settings import add_arguments
from liven.multicast.errors import BusyError, MulticastError
from liven.multicast.group import (
    Evicted,
    Expelled,
    GroupEvent,
    Joined,
    Member,
    Refused,
    Sent,
    Uncertain,
    View,
)
from liven.multicast.socket_engine import Engine
from liven.multicast.socket_group import SocketGroup
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK

_PREFIX = "chat:"
_LINE_MOST = 60_000
_LAST_WORDS_WITHIN = 5.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven chat`."""
    parser.add_argument("group", help="the name of the group; everyone who gives the same name is in it")
    parser.add_argument("--name", help="the name that others see (your user name)")
    parser.add_argument(
        "--repeat",
        action=argparse.BooleanOptionalAction,
        help="print your own lines, too, once sent (by default only if they were not typed in a terminal)",
    )
    add_arguments(parser)
    parser.epilog = (
        "Press Ctrl-D to end. Input from a file or pipe ends when all of it is sent. A member with the same\n"
        "name as another is shown with a number, as in `ann (2)`.\n"
        "Exit code: 0 everything was sent, 1 not everything, 3 the network cannot be used."
    )


def run(arguments: argparse.Namespace) -> int:
    """Chat until the input ends."""
    if why := group_fault(arguments.group):
        return complain(why, BAD_USE)
    config = config_of(arguments)
    if sys.stdin is None:
        return complain("there is no input to send; run it in a terminal, or with `< FILE`", BAD_USE)
    repeat = not sys.stdin.isatty() if arguments.repeat is None else arguments.repeat
    high, low = secrets.randbits(64), secrets.randbits(64) | 1
    config = dataclasses.replace(config, settings={**config.settings, "id_high": high, "id_low": low})
    try:
        with Engine(config) as engine:
            group = engine.join(_PREFIX + arguments.group)
            return _Chat(engine, group, arguments.name or user_name(), high << 64 | low, repeat).run()
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)


class _Chat:
    def __init__(self, engine: Engine, group: SocketGroup, name: str, identity: int, repeat: bool) -> None:
        self._engine = engine
        self._group = group
        self._name = name
        self._identity = identity
        self._repeat = repeat
        self._names = Names(name)
        self._input: int | None = sys.stdin.fileno()
        self._typed = b""
        self._waiting: list[bytes] = []
        self._unsent: set[int] = set()
        self._joined = False
        self._ended = ""
        self._limit = float("inf")

    def run(self) -> int:
        """Wait for input and for the engine, and process both."""
        while not self._ended and (self._input is not None or self._waiting or self._unsent):
            watched = [self._engine.fileno(), *([] if self._input is None else [self._input])]
            ready, _, _ = select.select(watched, [], [], 0.05 if self._waiting else 1.0)
            if self._input in ready:
                self._read()
            self._engine.poll()
            self._take()
            self._say()
            if time.monotonic() > self._limit:
                return complain("not everything could be sent", NO)
        return complain(self._ended, NO) if self._ended else OK

    def _read(self) -> None:
        data = os.read(sys.stdin.fileno(), 65536)
        self._typed += data
        *lines, self._typed = self._typed.split(b"\n")
        if not data or len(self._typed) > _LINE_MOST:
            lines, self._typed = [*lines, self._typed], b""
        if not data:
            self._input = None
            self._limit = time.monotonic() + _LAST_WORDS_WITHIN
        for line in lines:  # a long line is sent in parts
            self._waiting += [line[at : at + _LINE_MOST] for at in range(0, len(line), _LINE_MOST)]

    def _say(self) -> None:
        while self._joined and self._waiting:
            text = self._name.encode(errors="replace")[:NAME_MOST] + b"\0" + self._waiting[0]
            try:
                self._unsent.add(self._group.send(text))
            except BusyError:
                return
            del self._waiting[0]

    def _take(self) -> None:
        deliveries, events = self._group.receive(), self._group.events()
        for event in events:  # before the messages, because events say who is a member
            self._note(event)
        for delivery in deliveries:
            line = self._names.told(delivery.sender, delivery.payload)
            if self._repeat or not self._names.is_own(delivery.sender):
                print(line, flush=True)

    def _note(self, event: GroupEvent) -> None:
        match event:
            case Joined():
                self._joined = True
            case View(members=members):
                self._show_members(members)
            case Sent(ticket=ticket):
                self._unsent.discard(ticket)
            case Uncertain(ticket=ticket):
                self._unsent.discard(ticket)
                complain("your last lines may not have reached everyone", NO)
            case Refused(reason=reason):
                self._ended = reason
            case Evicted() | Expelled():
                self._rejoin(event)

    def _show_members(self, members: Sequence[Member]) -> None:
        own = next((each.node for each in members if each.identity == self._identity), 0)
        self._names.here((each.node for each in members), own)
        print(f"-- {len(members)} here", file=sys.stderr, flush=True)

    def _rejoin(self, event: Evicted | Expelled) -> None:
        """Join again with the lines still to be sent. Lines that others sent meanwhile are lost."""
        stood = isinstance(event, Evicted)
        why = "stalled for too long" if stood else "was too slow to receive"
        complain(f"this program {why}, so the others went on without it; joining again", NO)
        if self._unsent:
            complain("your last lines may not have reached everyone", NO)
            self._unsent.clear()
        self._joined = False
        if stood:
            self._engine.rejoin()
        self._group = self._engine.join(self._group.name)

"""`liven chat GROUP`: what you type goes to all, what they type comes to you."""

from __future__ import annotations

import argparse
import getpass
import os
import select
import sys
import time

from liven.app.network.command import ENVIRONMENT, NO, OK, complain, config_of, printable
from liven.app.network.settings import add_arguments
from liven.multicast.errors import BusyError, MulticastError
from liven.multicast.group import Delivery, Evicted, Joined, Refused, Sent, Uncertain, View
from liven.multicast.socket_group import SocketGroup
from liven.multicast.sockets import Engine

_PREFIX = "chat:"
_LINE_MOST = 60_000
_LAST_WORDS_WITHIN = 5.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `liven chat`."""
    parser.add_argument("group", help="the name of the group; whoever gives the same name is in it")
    parser.add_argument("--name", help="how the others see you (your user name)")
    add_arguments(parser)
    parser.epilog = "Ctrl-D ends it. With input from a file or pipe, it ends when all of that was sent."


def run(arguments: argparse.Namespace) -> int:
    """Talks until the input ends."""
    config = config_of(arguments)
    try:
        with Engine(config) as engine:
            group = engine.join(_PREFIX + arguments.group)
            return _Chat(engine, group, arguments.name or getpass.getuser()).run()
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)


class _Chat:
    def __init__(self, engine: Engine, group: SocketGroup, name: str) -> None:
        self._engine = engine
        self._group = group
        self._name = name
        self._input: int | None = sys.stdin.fileno()
        self._typed = b""
        self._waiting: list[bytes] = []
        self._unsent: set[int] = set()
        self._joined = False
        self._ended = ""
        self._limit = float("inf")

    def run(self) -> int:
        """Watches the input and the engine."""
        while not self._ended and (self._input is not None or self._waiting or self._unsent):
            watched = [self._engine.fileno(), *([] if self._input is None else [self._input])]
            ready, _, _ = select.select(watched, [], [], 0.05 if self._waiting else 1.0)
            if self._input in ready:
                self._read()
            self._engine.poll()
            self._take()
            self._say()
            if time.monotonic() > self._limit:
                return complain("not all that was typed could be sent", NO)
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
        self._waiting += [line for line in lines if line]

    def _say(self) -> None:
        while self._joined and self._waiting:
            text = self._name.encode()[:200] + b"\0" + self._waiting[0][:_LINE_MOST]
            try:
                self._unsent.add(self._group.send(text))
            except BusyError:
                return
            del self._waiting[0]

    def _take(self) -> None:
        for delivery in self._group.receive():
            print(_told(delivery), flush=True)
        for event in self._group.events():
            match event:
                case Joined():
                    self._joined = True
                case View(members=members):
                    print(f"-- {len(members)} here", file=sys.stderr, flush=True)
                case Sent(ticket=ticket):
                    self._unsent.discard(ticket)
                case Uncertain(ticket=ticket):
                    self._unsent.discard(ticket)
                    complain("it is not known whether everyone heard your last words", NO)
                case Refused(reason=reason):
                    self._ended = reason
                case Evicted():
                    self._ended = "the others went on without this member; start again"


def _told(delivery: Delivery) -> str:
    name, mark, text = delivery.payload.partition(b"\0")
    if not mark:
        name, text = b"?", name
    return f"{printable(name.decode(errors='replace'))}: {printable(text.decode(errors='replace'))}"

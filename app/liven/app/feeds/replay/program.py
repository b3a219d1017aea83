"""A replay at the command line: source, target, player and terminal, until its end or a key."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from liven.app.feeds.arguments import author_names
from liven.app.feeds.encrypted_feed import decoder_of
from liven.app.feeds.nothing_found import names_of, nothing_found
from liven.app.feeds.replay.commands import Commands
from liven.app.feeds.replay.live import LiveTarget, confirmed
from liven.app.feeds.replay.opened_source import open_source
from liven.app.feeds.replay.printed_events import PrintedEvents
from liven.app.feeds.replay.stage import Stage
from liven.app.feeds.replay.status_line import StatusLine, shown_clock
from liven.app.feeds.replay.terminal_keys import TerminalKeys, is_terminal
from liven.app.network.cli import complain, printable
from liven.liveobjects.feeds.errors import BadUseError, FeedError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.place import place_at
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.state import State
from liven.liveobjects.feeds.replay.target.event_log import EventLog
from liven.liveobjects.feeds.replay.target.several import Several
from liven.liveobjects.feeds.replay.target.target import Target
from liven.liveobjects.feeds.replay.transport import Transport
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.exit_codes import BAD_USE, NO, OK
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.problems import Problem, Problems
from liven.runtime.user_folders import UserFolders

_EVERY: Final = 0.1
"""Seconds between two pictures of the status line."""
_JSON_EVERY: Final = 0.5
"""Seconds between two positions for a program."""


def play(arguments: argparse.Namespace, options: Options) -> int:
    """Play until the end, a key or a signal; raise FeedError."""
    reads_keys = is_terminal() if arguments.keys is None else arguments.keys
    if reads_keys and not is_terminal():
        return complain("keys need a terminal; leave out --keys", BAD_USE)
    if arguments.into.startswith("live:") and not confirmed(arguments):
        return NO
    with ExitStack() as ends:
        loop = asyncio.new_event_loop()
        ends.callback(loop.close)
        problems = Problems()
        dispatcher = AsyncioDispatcher(loop, problems.report)
        ends.callback(dispatcher.close)
        running = _Replaying(arguments, options, loop, dispatcher, problems, ends)
        return running.run(reads_keys=reads_keys)


class _Replaying:
    """One replay at the command line."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        options: Options,
        loop: asyncio.AbstractEventLoop,
        dispatcher: AsyncioDispatcher,
        problems: Problems,
        ends: ExitStack,
    ) -> None:
        self._arguments = arguments
        self._loop = loop
        self._dispatcher = dispatcher
        self._problems = problems
        self._ends = ends
        self._status = StatusLine()
        self._stage: Stage | None = None
        self._transport: Transport | None = None
        self._code = OK
        problems.listen(self._problem)
        self._opened = open_source(arguments, self._more)
        ends.callback(self._opened.source.close)
        self._options = self._opened.places(options)
        self._stays = False

    def run(self, *, reads_keys: bool) -> int:
        """Run the event loop until the replay is over; return the exit code."""
        self._stays = reads_keys and not self._arguments.until_end
        for number in (signal.SIGINT, signal.SIGTERM):
            self._loop.add_signal_handler(number, self._quit)
        with ExitStack() as terminal:
            if reads_keys:
                keys = terminal.enter_context(TerminalKeys(self._dispatcher, self._key))
                self._loop.add_signal_handler(signal.SIGCONT, keys.take)
            self._dispatcher.call_soon(self._guarded(self._wait_for_rows))
            self._loop.run_forever()
            if self._transport is not None:
                self._status.show(self._transport.position)
            self._status.leave()
        self._finish()
        return self._code

    # Beginning

    def _wait_for_rows(self) -> None:
        """Begin once there is a record, so that the window of a query is known."""
        source = self._opened.source
        if source.complete or source.end > source.begin:
            self._begin()
        else:
            self._dispatcher.call_later(_EVERY, self._guarded(self._wait_for_rows))

    def _begin(self) -> None:
        targets: list[Target] = []
        if self._arguments.into == "sandbox" and self._opened.description.recipe:
            folders = UserFolders.of_user(os.environ)
            self._stage = Stage(self._opened, self._options, self._dispatcher, self._problems, folders)
            self._ends.callback(self._stage.close)
            targets.append(self._stage.sandbox)
        elif self._arguments.into == "sandbox" and not self._shows_events:
            what = (
                f"{self._opened.title}: no object is recorded here that could be shown; its events are played"
            )
            self._say(f"{what}. Add --print to see them")
        if self._arguments.into.startswith("live:"):
            live = LiveTarget(self._arguments, self._opened, self._loop, self._dispatcher, self._problems)
            self._ends.callback(live.close)
            targets.append(live)
        if self._arguments.prints:
            decoder = decoder_of(self._arguments, self._arguments.feed, self._opened.description)
            author = author_names(self._arguments, self._opened.description)
            as_json = self._arguments.json
            targets.append(
                PrintedEvents(decoder, self._status.clear, self._reader_gone, author=author, as_json=as_json)
            )
        if self._arguments.log is not None:
            log = EventLog(self._arguments.log, self._opened.description)
            self._ends.callback(log.close)
            targets.append(log)
        player = Player(self._opened.source, Several(targets), self._dispatcher.now, self._options)
        self._transport = Transport(player, self._dispatcher, precise=True)
        self._ends.callback(self._transport.close)
        self._transport.on_change = self._changed
        self._commands = Commands(self._transport, self._quit, self._opened.bookmarks, self._opened.origin)
        waited = [one for one in (self._stage, *targets) if hasattr(one, "when_ready")]
        self._when_ready(waited)

    def _when_ready(self, waited: list[Any]) -> None:
        """Begin to play when each target is ready."""
        if waited:
            waited[0].when_ready(self._guarded_with(lambda why: self._ready(waited[1:], why)))
        else:
            self._start()

    def _ready(self, rest: list[Any], why: str) -> None:
        if why:
            self._code = complain(why, NO)
            self._quit()
        else:
            self._when_ready(rest)

    def _start(self) -> None:
        transport, arguments = self._transport, self._arguments
        assert transport is not None
        seek = arguments.seek or (f"@{arguments.bookmark}" if arguments.bookmark else "")
        if seek:
            transport.seek(place_at(self._opened.place(seek), self._opened.source))
        if arguments.burst:
            transport.burst(arguments.burst)
        if not arguments.paused:
            transport.play()
        elif not self._stays:
            self._end_paused()
        self._show_status()

    def _end_paused(self) -> None:
        """End at the place where it pauses, because no key can make it go on."""
        assert self._transport is not None
        state = self._transport.position.state
        if state in (State.SEEKING, State.SEEKING_ON):
            self._dispatcher.call_later(_EVERY, self._end_paused)
        elif state is State.PAUSED:
            moment = shown_clock(self._transport.position.time)
            self._say(f"paused at {moment}; no keyboard is read here that could go on, so the replay ends")
            self._quit_when_complete()

    # While it runs

    @property
    def _shows_events(self) -> bool:
        return bool(self._arguments.prints or self._arguments.log is not None)

    def _more(self) -> None:
        transport = self._transport
        if transport is not None:
            transport.wake()

    def _changed(self) -> None:
        assert self._transport is not None
        state = self._transport.position.state
        if state is State.CLOSED:
            return
        if state is State.FAILED:
            error = self._transport.player.error
            self._status.clear()
            self._code = complain(str(error), NO)
        if state is State.FAILED:
            self._dispatcher.call_soon(self._quit)
        elif state is State.ENDED and not self._stays:
            self._dispatcher.call_soon(self._guarded(self._end))
        else:
            self._draw()

    def _end(self) -> None:
        """Quit at the end; raise NothingFoundError if nothing fitted what was asked for."""
        assert self._transport is not None
        opened, selection = self._opened, self._options.selection
        if not self._transport.player.given and not selection.filter().takes_all:
            there = names_of(opened.source)
            raise nothing_found(opened.name, selection.unmatched(there), there, opened.author_names)
        self._quit_when_complete()

    def _quit_when_complete(self) -> None:
        """Quit when the objects have the state at the end: one that opened its channel late may not yet."""
        if self._stage is None or self._stage.sandbox.is_complete:
            self._quit()
        else:
            self._dispatcher.call_later(_EVERY, self._quit_when_complete)

    def _key(self, key: str) -> None:
        if self._transport is None:
            if key == "q":
                self._quit()
            return
        note = self._commands.press(key)
        if note:
            self._status.clear()
            sys.stderr.write(f"{printable(note)}\n")
        self._draw()

    def _show_status(self) -> None:
        self._draw()
        self._dispatcher.call_later(_JSON_EVERY if self._arguments.json else _EVERY, self._show_status)

    def _draw(self) -> None:
        if self._transport is None:
            return
        if self._arguments.json:
            self._print_json(self._position())
        else:
            self._status.show(self._transport.position)

    def _position(self) -> dict[str, object]:
        assert self._transport is not None
        position = self._transport.position
        return {
            "event": "position",
            "state": position.state.value,
            "sequence": position.sequence,
            "time": position.time,
            "part": round(position.part, 6),
            "speed": "max" if position.speed == float("inf") else position.speed,
            "given": position.given,
        }

    # Ending

    def _quit(self) -> None:
        self._loop.stop()

    def _reader_gone(self) -> None:
        """Quit quietly, because nobody reads what is printed, as with `head`."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        self._quit()

    def _finish(self) -> None:
        if self._transport is None:
            return
        player = self._transport.player
        if self._arguments.json:
            self._print_json(self._position())
            self._print_json({"event": "timing", **player.lateness.as_record()})
        if self._arguments.digest and self._stage is not None:
            digest = self._stage.sandbox.digest()
            if self._arguments.json:
                self._print_json({"event": "digest", "digest": digest, "sequence": player.position.sequence})
            else:
                sys.stdout.write(f"state at {shown_clock(player.position.time)}: {digest}\n")
        sys.stdout.flush()

    def _print_json(self, line: dict[str, object]) -> None:
        try:
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._reader_gone()

    def _problem(self, problem: Problem) -> None:
        if self._arguments.json:
            line = {"event": "problem", "where": "/".join(problem.where), "what": problem.what}
            self._print_json({**line, "advice": problem.advice})
        else:
            self._say(str(problem))

    def _say(self, text: str) -> None:
        self._status.clear()
        sys.stderr.write(f"liven: {printable(text)}\n")

    def _guarded(self, action: Callable[[], object]) -> Callable[[], None]:
        """Return an action whose failure ends the replay with its reason."""
        return lambda: self._try(action)

    def _guarded_with(self, action: Callable[[str], object]) -> Callable[[str], None]:
        return lambda why: self._try(lambda: action(why))

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except FeedError as error:
            self._status.clear()
            self._code = complain(str(error), BAD_USE if isinstance(error, BadUseError) else NO)
            self._quit()
        except OSError as error:
            self._code = complain(explain_os_error(error), NO)
            self._quit()

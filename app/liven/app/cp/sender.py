"""The sender of files: it offers them, sends what any receiver misses, and repeats until nothing is missing.

Each pass sends, once and to all, what at least one receiver misses. Then everyone reports what is still
missing. Receivers that leave are no longer waited for.
"""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path

from liven.app.cp.byte_ranges import ByteRanges
from liven.app.cp.messages import CHUNK, Data, Message, Need, Offer, Offered, pack, unpack
from liven.app.cp.partial_file import digest_of
from liven.app.cp.progress import ProgressLine
from liven.app.cp.rejoin import rejoin
from liven.multicast.errors import BusyError
from liven.multicast.group import Evicted, Expelled, Refused, Sent, View
from liven.multicast.socket_engine import Engine
from liven.multicast.socket_group import SocketGroup

_UNSENT_MOST = 64
_OFFER_AGAIN_AFTER = 1.0
_LAST_WORDS_WITHIN = 2.0
"""A member's last messages may arrive after the view without it."""


class TransferError(Exception):
    """Raised when the transfer cannot continue; the message is the reason."""


@dataclass(slots=True)
class _Receiver:
    heard: int = -1
    """The last pass for which it has answered about every file."""
    answers: dict[int, int] = field(default_factory=dict)
    lacks: dict[int, int] = field(default_factory=dict)
    """Missing bytes by file, from its last answers; each answer is about one file."""
    member: int = 0
    left_at: float | None = None
    """The time of the first view without it."""
    refused: bool = False
    """It refused a file."""

    @property
    def missing(self) -> int:
        """The number of bytes that it misses in all files."""
        return sum(self.lacks.values())

    @property
    def complete(self) -> bool:
        """True if it has reported all files complete."""
        return self.heard >= 0 and self.missing == 0 and not self.refused

    def may_answer(self, now: float) -> bool:
        """Return True while an answer from it can still arrive."""
        return self.left_at is None or self.left_at > now - _LAST_WORDS_WITHIN


class FileSender:
    """The sender's side of one transfer."""

    def __init__(self, engine: Engine, group: SocketGroup, paths: list[Path], bar: ProgressLine) -> None:
        self._engine = engine
        self._group = group
        self._paths = paths
        self._bar = bar
        self._transfer = secrets.token_bytes(8)
        self._files = tuple(Offered(path.name, path.stat().st_size, digest_of(path)) for path in paths)
        self._pending = [ByteRanges() for _ in paths]
        self._receivers: dict[bytes, _Receiver] = {}
        self._members: frozenset[int] = frozenset()
        self._unsent: set[int] = set()
        self._passed = 0
        self._offered_at = 0.0
        self._sent_bytes = 0
        self.problems: list[str] = []

    def run(self, receivers: int, seconds: float) -> int:
        """Send until at least `receivers` members have everything; return how many do.

        While there are too few, wait up to `seconds` for more to join. A receiver that refused a file does
        not count.
        """
        limit = time.monotonic() + seconds
        while not self._is_done(receivers):
            if self._expected() >= receivers:
                limit = time.monotonic() + seconds
            elif time.monotonic() > limit:
                raise TransferError(self._lack(receivers, seconds))
            self._offer()
            self._engine.wait(0.0 if self._send_some() else 0.05)
            self._process_messages()
        return self._complete()

    def _complete(self) -> int:
        return sum(each.complete for each in self._receivers.values())

    def _expected(self) -> int:
        """The number of receivers that are complete, refused, or still active."""
        now = time.monotonic()
        receivers = self._receivers.values()
        return sum(each.complete or each.refused or each.may_answer(now) for each in receivers)

    def _lack(self, receivers: int, seconds: float) -> str:
        done = self._complete()
        if done:
            return f"{done} of {receivers} have everything, and nobody else joined within {seconds:g} s"
        came = f"{len(self._receivers)} of {receivers}" if self._receivers else "nobody"
        return f"{came} joined within {seconds:g} s; to receive, run: liven cp --get GROUP"

    def _is_done(self, receivers: int) -> bool:
        """Return True if enough receivers are complete or refused, and all active ones have answered the last
        pass and miss nothing."""
        now = time.monotonic()
        known = self._receivers.values()
        there = [each for each in known if each.may_answer(now)]
        satisfied = all(each.heard >= self._passed and each.missing == 0 for each in there)
        enough = sum(each.complete or each.refused for each in known) >= receivers
        return enough and satisfied and not any(self._pending)

    def _offer(self) -> None:
        """Send the offer periodically and at the end of each pass."""
        if time.monotonic() - self._offered_at > _OFFER_AGAIN_AFTER and not any(self._pending):
            self._offered_at = time.monotonic()
            self._say(Offer(self._transfer, self._files, self._passed))

    def _say(self, message: Message) -> None:
        self._unsent.add(self._group.send(pack(message)))

    def _send_some(self) -> bool:
        """Send the next parts, no more than can leave soon; return False if there were none."""
        for index, gaps in enumerate(self._pending):
            while gaps and len(self._unsent) < _UNSENT_MOST:
                first, end = gaps.take(CHUNK) or (0, 0)
                try:
                    self._say(Data(self._transfer, index, first, self._read(index, first, end)))
                except BusyError:
                    gaps.add(first, end)
                    return False
                self._sent_bytes += end - first
                self._bar.show(
                    self._sent_bytes, self._sent_bytes + sum(each.size() for each in self._pending)
                )
                if not any(self._pending):
                    self._passed += 1
                    self._offered_at = 0.0
        return any(self._pending) and len(self._unsent) < _UNSENT_MOST

    def _read(self, index: int, first: int, end: int) -> bytes:
        with self._paths[index].open("rb") as file:
            content = os.pread(file.fileno(), end - first, first)
        if len(content) != end - first:
            raise TransferError(f"{self._paths[index]} became shorter during the transfer")
        return content

    def _process_messages(self) -> None:
        for delivery in self._group.receive():
            message = unpack(delivery.payload)
            if isinstance(message, Need) and message.transfer == self._transfer:
                self._note(message, delivery.sender)
        for event in self._group.events():
            match event:
                case Sent(ticket=ticket):
                    self._unsent.discard(ticket)
                case View(members=members):
                    self._members = frozenset(member.node for member in members)
                    self._note_who_is_gone()
                    self._offered_at = 0.0
                case Refused(reason=reason):
                    raise TransferError(reason)
                case Evicted() | Expelled():
                    self._rejoin(event)

    def _rejoin(self, event: Evicted | Expelled) -> None:
        """Join again after the others removed this member. The next answers tell what did not arrive."""
        self._group = rejoin(self._engine, self._group, event, self._bar.say)
        self._unsent.clear()
        self._offered_at = 0.0

    def _note_who_is_gone(self) -> None:
        for each in self._receivers.values():
            if each.member in self._members:
                each.left_at = None
            elif each.left_at is None:
                each.left_at = time.monotonic()

    def _note(self, need: Need, member: int) -> None:
        if need.file >= len(self._files):
            return
        receiver = self._receivers.setdefault(need.receiver, _Receiver())
        receiver.member = member
        if member not in self._members and receiver.left_at is None:
            receiver.left_at = time.monotonic()  # it left before its message was processed
        receiver.refused = receiver.refused or bool(need.problem)
        if need.problem and need.problem not in self.problems:
            self.problems.append(need.problem)
        last = max(receiver.answers.values(), default=0)
        if need.passed < last or any(end > self._files[need.file].size for _, end in need.missing):
            return  # outdated, or about another transfer
        receiver.answers[need.file] = need.passed
        receiver.lacks[need.file] = sum(end - first for first, end in need.missing)
        if len(receiver.answers) == len(self._files) and set(receiver.answers.values()) == {need.passed}:
            receiver.heard = need.passed
        if need.passed < self._passed:
            return  # what it missed has been sent since; only "nothing is missing" stays true
        for first, end in need.missing:
            self._pending[need.file].add(first, end)

"""The archive of one channel: it turns the confirmed order into records, unless somebody objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from liven.liveobjects.channel.ordering import Seat
from liven.liveobjects.channel.ordering.confirmed_order import Confirmed, Passed, StateAt
from liven.liveobjects.channel.process.recordings import Notice, Says
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.recorder.channel.row_encoder import RowEncoder, last_number, size_of
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Position, Rows
from liven.liveobjects.feeds.recorder.log.marks import gap_record, now


class ChannelArchive:
    """One channel. `found` gets the recipes in its states and operations, `named` the names of authors, and
    `objected` the names of those who do not want to be recorded, with each change."""

    def __init__(
        self,
        encoder: RowEncoder,
        hand_over: HandOver | None,
        title: str,
        position: Position,
        found: Callable[[Sequence[str]], object],
        named: Callable[[str, str], object],
        objected: Callable[[Sequence[str]], object],
    ) -> None:
        """Without `hand_over`, nothing is recorded, and the content is only searched for recipes."""
        self.encoder = encoder
        self.title = title
        self.since_state = 0
        """Operations since the last state."""
        self.wants_state = position.serial > 0 and not position.chain
        """True after a gap: what follows can only be understood with a state."""
        self._hand_over = hand_over
        self._position = position
        self._found = found
        self.named = named
        self._objected = objected
        self._objections: dict[bytes, str] = {}
        self._has_withheld = False
        """True if operations were not recorded because of an objection, since the last one that was."""

    def resume(self) -> tuple[int, bytes]:
        """Return the last operation that was handed over."""
        return self._position

    def began(self, state: bytes | None, after: Sequence[bytes]) -> None:
        """Search a state, and the operations after it, for objects."""
        if self.encoder.state is not None and self.encoder.state.holds_recipes:
            if state is not None:
                self._found(self.encoder.state.recipes(state))
            elif self.encoder.seed is not None:
                self._found(self.encoder.state.seed_recipes(self.encoder.seed))
        self._search(after)

    def passed(self, rows: Sequence[Passed]) -> None:
        """Record what is confirmed."""
        if self.encoder.message is not None and self.encoder.message.holds_recipes:
            for row in rows:
                if isinstance(row, Confirmed):
                    self._search(row.run.taken)
        before = self._position.serial
        last = last_number(rows, before)
        self._position = Position(last, _chain(rows, self._position))
        if self._hand_over is None:
            return
        if self._objections:
            self._withhold(before + 1, last)
            return
        if self._has_withheld:
            self._has_withheld, self.wants_state = False, True
        amount, size = size_of(rows)
        make = partial(self.encoder.records, list(rows), now())
        name, channel = self.encoder.object, self.encoder.channel
        is_state_alone = all(isinstance(row, StateAt) for row in rows)
        first = before + 1 if is_state_alone else min(before + 1, last)
        taken = self._hand_over.put(Rows(name, channel, make, first, self._position, amount, size))
        self.since_state += amount
        if any(isinstance(row, StateAt) for row in rows):
            self.since_state, self.wants_state = 0, False
        if not taken:
            self.wants_state = True

    def heard(self, notice: Notice) -> None:
        """Note what a member says about being recorded."""
        if notice.name:
            self.named(notice.author.hex(), notice.name)
        if notice.says is Says.OBJECTS and notice.author not in self._objections:
            self._objections[notice.author] = notice.name
            self._objected(tuple(self._objections.values()))
        elif notice.says is Says.AGREES and self._objections.pop(notice.author, None) is not None:
            self._objected(tuple(self._objections.values()))

    def seated(self, seats: Sequence[Seat]) -> None:
        """Forget the objections of members that are gone."""
        here = {seat.author for seat in seats}
        gone = self._objections.keys() - here
        for author in gone:
            del self._objections[author]
        if gone:
            self._objected(tuple(self._objections.values()))

    def with_types(self, encoder: RowEncoder) -> None:
        """Use types that were learned."""
        self.encoder = replace(
            self.encoder, message=encoder.message, state=encoder.state, empty=encoder.empty
        )

    def _search(self, payloads: Sequence[bytes]) -> None:
        message = self.encoder.message
        if message is not None and message.holds_recipes:
            for payload in payloads:
                recipes = message.recipes(payload)
                if recipes:
                    self._found(recipes)

    def _withhold(self, first: int, last: int) -> None:
        """Record a gap in place of operations at once, so that a recorder that is killed and starts again
        when the member is gone does not ask for them."""
        if self._hand_over is None or last < first:
            return
        name, channel = self.encoder.object, self.encoder.channel
        record = gap_record(name, channel, first, last, "a member objected to being recorded")
        self._has_withheld = True
        position = Position(last, b"")
        self._hand_over.put(Rows(name, channel, partial(_one, record), first, position, 1, 0))


def _one(record: Record) -> list[Record]:
    return [record]


def _chain(rows: Sequence[Passed], before: Position) -> bytes:
    """Return the chain hash after the last row, if it is known."""
    for row in reversed(rows):
        if isinstance(row, Confirmed):
            return row.run.chains[-1]
        if not isinstance(row, StateAt):
            return b""
    return before.chain

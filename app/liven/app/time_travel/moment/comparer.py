"""Comparison of moments in a worker, one question at a time: the latest one that a person asked counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from liven.app.time_travel.channel_names import channel_of
from liven.app.time_travel.moment.comparison_pace import CancelledError, Pace
from liven.app.time_travel.present_objects import PresentObjects
from liven.liveobjects.feeds.history.comparison import (
    Compared,
    PastObject,
    compared,
    known_from,
    objects_at,
)
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.feeds.replay.source.source import Source
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object

Found = Callable[[Sequence[Compared]], object]


@dataclass(frozen=True, slots=True)
class _Question:
    work: Callable[[], Any]
    found: Callable[[Any], object]
    failed: Callable[[str], object]
    may_drop: bool
    pace: Pace = field(default_factory=Pace)


class Comparer:
    """Compares moments of one object. Its source is its own, because a worker reads it."""

    def __init__(self, node: Node, source: Source, thing: Object, names: dict[str, str]) -> None:
        self._node = node
        self._source = source
        self._thing = thing
        self._names = names
        self._reconstruction = Reconstruction(source, self._follow)
        self._asked: _Question | None = None
        """The question that a worker answers."""
        self._questions: deque[_Question] = deque()
        self._closed = False

    @property
    def end(self) -> int:
        """The sequence after the last record."""
        return self._source.end

    @property
    def is_comparing(self) -> bool:
        """True while a comparison is under way."""
        asked = () if self._asked is None else (self._asked,)
        return any(one.may_drop and not one.pace.cancelled for one in (*asked, *self._questions))

    @property
    def followed(self) -> int:
        """The events that the present work has followed."""
        return 0 if self._asked is None else self._asked.pace.events

    def objects_at(
        self, sequence: int, found: Callable[[Sequence[PastObject]], object], failed: Callable[[str], object]
    ) -> None:
        """Find the object and everything inside it at a place."""
        self._ask(lambda: self._objects_at(sequence), found, failed, may_drop=False)

    def known_from(self, found: Callable[[int | None], object], failed: Callable[[str], object]) -> None:
        """Find the first place at which the state of the object is known."""
        self._ask(
            lambda: known_from(self._reconstruction, self._thing, channel_of), found, failed, may_drop=False
        )

    def compare_with_now(self, sequence: int, found: Found, failed: Callable[[str], object]) -> None:
        """Compare a place with the objects that run now; for others, with the end of the recording."""

        def there(past: Sequence[PastObject]) -> None:
            running = PresentObjects(self._node)
            present = {one.channel: running.state_of(one.channel, one.kind) for one in past}
            self._ask(lambda: self._compared(sequence, self.end, present), found, failed)

        self._ask(lambda: self._objects_at(sequence, unrecorded=True), there, failed)

    def compare(self, earlier: int, later: int, found: Found, failed: Callable[[str], object]) -> None:
        """Compare two places of the recording."""
        self._ask(lambda: self._compared(earlier, later, {}), found, failed)

    def cancel(self) -> None:
        """Drop all comparisons, without an answer."""
        self._questions = deque(one for one in self._questions if not one.may_drop)
        if self._asked is not None and self._asked.may_drop:
            self._asked.pace.cancelled = True

    def close(self) -> None:
        """Answer nothing any more."""
        self._closed = True
        self._questions.clear()
        if self._asked is not None:
            self._asked.pace.cancelled = True

    def _follow(self) -> None:
        """Count an event, in the worker."""
        asked = self._asked
        if asked is not None:
            asked.pace.event()

    def _objects_at(self, sequence: int, *, unrecorded: bool = False) -> Sequence[PastObject]:
        return list(
            objects_at(self._reconstruction, self._thing, channel_of, sequence, unrecorded=unrecorded)
        )

    def _compared(self, earlier: int, later: int, present: dict[str, Any]) -> Sequence[Compared]:
        return compared(
            self._reconstruction, self._thing, channel_of, (earlier, later), self._names, present.get
        )

    def _ask(
        self,
        work: Callable[[], Any],
        found: Callable[[Any], object],
        failed: Callable[[str], object],
        *,
        may_drop: bool = True,
    ) -> None:
        """Do some work in a worker, after what is asked already. One that may be dropped is,
        when a newer one of its kind comes."""
        if may_drop:
            self.cancel()
        self._questions.append(_Question(work, found, failed, may_drop))
        self._go_on()

    def _go_on(self) -> None:
        if self._asked is not None or not self._questions or self._closed:
            return
        question = self._asked = self._questions.popleft()

        def answered(done: Reply[Any]) -> None:
            self._asked = None
            if self._closed:
                return
            if isinstance(done.error, CancelledError):
                pass
            elif done.error is not None:
                question.failed(str(done.error))
            elif not question.pace.cancelled:
                question.found(done.value())
            self._go_on()

        self._node.errand(question.work).then(answered)

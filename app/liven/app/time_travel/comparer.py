"""Comparison of moments in a worker, one question at a time: the latest one that a person asked counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from liven.app.time_travel.channel_names import channel_of
from liven.app.time_travel.present_objects import state_of
from liven.liveobjects.feeds.history.comparison import Compared, PastObject, compared, objects_at
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


class Comparer:
    """Compares moments of one object. Its source is its own, because a worker reads it."""

    def __init__(self, node: Node, source: Source, thing: Object, names: dict[str, str]) -> None:
        self._node = node
        self._source = source
        self._thing = thing
        self._names = names
        self._reconstruction = Reconstruction(source)
        self._busy = False
        self._questions: deque[_Question] = deque()
        self._closed = False

    @property
    def end(self) -> int:
        """The sequence after the last record."""
        return self._source.end

    def objects_at(
        self, sequence: int, found: Callable[[Sequence[PastObject]], object], failed: Callable[[str], object]
    ) -> None:
        """Find the object and everything inside it at a place."""
        self._ask(lambda: self._objects_at(sequence), found, failed, may_drop=False)

    def compare_with_now(self, sequence: int, found: Found, failed: Callable[[str], object]) -> None:
        """Compare a place with the objects that run now; for others, with the end of the recording."""

        def there(past: Sequence[PastObject]) -> None:
            present = {one.channel: state_of(self._node, one.channel, one.kind) for one in past}
            self._ask(lambda: self._compared(sequence, self.end, present), found, failed)

        self._ask(lambda: self._objects_at(sequence, unrecorded=True), there, failed)

    def compare(self, earlier: int, later: int, found: Found, failed: Callable[[str], object]) -> None:
        """Compare two places of the recording."""
        self._ask(lambda: self._compared(earlier, later, {}), found, failed)

    def close(self) -> None:
        """Answer nothing any more."""
        self._closed = True
        self._questions.clear()

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
            self._questions = deque(one for one in self._questions if not one.may_drop)
        self._questions.append(_Question(work, found, failed, may_drop))
        self._go_on()

    def _go_on(self) -> None:
        if self._busy or not self._questions or self._closed:
            return
        question = self._questions.popleft()
        self._busy = True

        def answered(done: Reply[Any]) -> None:
            self._busy = False
            if self._closed:
                return
            newer = question.may_drop and any(one.may_drop for one in self._questions)
            if done.error is not None:
                question.failed(str(done.error))
            elif not newer:
                question.found(done.value())
            self._go_on()

        self._node.errand(question.work).then(answered)

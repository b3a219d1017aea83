"""Problems: errors in one object, reported in full while every other object goes on.

A problem is a value. It names the part of the recipe (`where`), and says what happened (`what`) and what a
person can do (`advice`). Listeners run on the dispatcher's thread, whichever thread reports. Only listeners
that ask for it run at once in the reporting thread, because the dispatcher's may be stuck.
"""

from __future__ import annotations

import enum
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from liven.runtime.foreign_text import shown_line, shown_lines
from liven.types.explanation import Explanation

Path: TypeAlias = tuple[str, ...]
"""Steps from the root of a recipe to one of its parts: `("note", "channel", "from")`."""

_LOG = logging.getLogger("liven.problems")


class Kind(enum.Enum):
    """The kind of a problem; the text is stable and programs may read it."""

    RAISED = "raised"
    """An object's code raised an exception."""
    SLOW = "slow"
    """A handler has run for longer than a second."""
    INTERRUPTED = "interrupted"
    """A handler was stopped because it did not end."""
    OVERFLOW = "overflow"
    """Events went round in a loop, which was cut."""
    REFUSED = "refused"
    """Two parts do not match."""
    UNBUILT = "unbuilt"
    """A reference could not be turned into a running object."""
    DECLINED = "declined"
    """A person, or the program, did not allow the code that it needs."""
    BROKEN = "broken"
    """A connection's monitor saw a broken promise."""
    PEER = "peer"
    """Another process broke the tunnel's protocol."""
    BRANCH = "branch"
    """The work of several people diverged, and a person must decide about one part."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """An action that a person can choose against a problem, with the name of its button."""

    name: str
    do: Callable[[], object] = field(compare=False)
    """Called on the dispatcher's thread. If it can do nothing it reports that, and may be called again."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One error: where, what, and what to do about it."""

    kind: Kind
    where: Path
    what: str
    advice: str = ""
    detail: str = ""
    """A traceback or a stack, for the author of the object."""
    explanation: Explanation | None = field(default=None, compare=False)
    remedies: tuple[Remedy, ...] = ()
    """The actions that a person can choose at once."""
    topic: str = ""
    """A subject on which the latest problem of a place replaces the previous ones; empty if none is
    replaced."""
    is_over: bool = False
    """True if this says that the problem with the same topic is over."""

    def __post_init__(self) -> None:
        """Remove what an author's text could hide; `where` stays as it is, because it is compared."""
        object.__setattr__(self, "what", shown_lines(self.what))
        object.__setattr__(self, "advice", shown_lines(self.advice))

    @property
    def place(self) -> str:
        """The part of the recipe, for people; empty for the whole process."""
        return " / ".join(map(shown_line, self.where))

    def is_replaced_by(self, later: Problem) -> bool:
        """True if a later problem is about the same subject at the same place."""
        return bool(self.topic) and (self.where, self.topic) == (later.where, later.topic)

    def __str__(self) -> str:
        place = self.place or "this process"
        return f"{place}: {self.what}" + (f" ({self.advice})" if self.advice else "")

    def as_record(self) -> dict[str, object]:
        """Return the problem as plain values, for `--json` and for logs."""
        explained = self.explanation.render() if self.explanation is not None else ""
        return {
            "kind": self.kind.value,
            "where": list(map(shown_line, self.where)),
            "what": self.what,
            "advice": self.advice,
            "detail": self.detail,
            "explanation": explained,
            "remedies": [remedy.name for remedy in self.remedies],
            "over": self.is_over,
        }


Report: TypeAlias = Callable[[Problem], None]


class Problems:
    """The latest problems of a process, oldest first, and their listeners."""

    def __init__(self, keep: int = 1000) -> None:
        self._kept: deque[Problem] = deque(maxlen=keep)
        self._listeners: list[Report] = []
        self._at_once: list[Report] = []
        self._thread = threading.get_ident()
        self._post: Callable[[Callable[[], object]], object] | None = None

    def deliver_through(self, post: Callable[[Callable[[], object]], object]) -> None:
        """Set the function that runs an action on the dispatcher's thread, which is the calling one."""
        self._thread = threading.get_ident()
        self._post = post

    def report(self, problem: Problem) -> None:
        """Keep and log `problem`, and call the listeners. Any thread may call this."""
        self._kept.append(problem)
        _LOG.warning("%s", problem, extra={"problem": problem})
        self._tell(self._at_once, problem)
        if threading.get_ident() == self._thread or self._post is None:
            self._tell(self._listeners, problem)
        elif self._listeners:
            self._post(lambda: self._tell(self._listeners, problem))

    def listen(self, listener: Report, *, at_once: bool = False) -> Callable[[], None]:
        """Call `listener` with each problem from now on; call the returned function to stop.

        A listener with `at_once` is called in the reporting thread, even while a handler is stuck, and must
        be safe for that.
        """
        among = self._at_once if at_once else self._listeners
        among.append(listener)
        return lambda: among.remove(listener) if listener in among else None

    def _tell(self, listeners: list[Report], problem: Problem) -> None:
        for listener in tuple(listeners):
            try:
                listener(problem)
            except Exception:  # an error in one listener must not hide the problem from the others
                _LOG.exception("a listener of problems raised")

    def __iter__(self) -> Iterator[Problem]:
        return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget the problems kept so far."""
        self._kept.clear()

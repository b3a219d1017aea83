"""A note that follows its recorded edits, and knows the author of every character that came or went."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from liven.liveobjects.feeds.history.difference import Authorship
from liven.liveobjects.feeds.history.note_history import LOOKS, Hunk, Runs, hunks, text_of
from liven.liveobjects.text.document import Delete, Delta, Document, Insert
from liven.liveobjects.text.object import note_state, note_update
from liven.liveobjects.text.wire import packed
from liven.liveobjects.text.yjs_update import BrokenUpdateError


@dataclass(frozen=True, slots=True)
class _Span:
    """Adjacent characters with one origin."""

    length: int
    origin: int
    """The place of the first one in the text at the mark; -1 for characters that came later."""
    author: str = ""
    when: int = 0

    def part(self, start: int, end: int) -> _Span:
        return replace(self, length=end - start, origin=self.origin + start if self.origin >= 0 else -1)


class NoteFollower:
    """The follower of a note."""

    def __init__(self) -> None:
        self._document = Document()
        self._document.hear(self._heard)
        self._spans: list[_Span] = []
        self._gone: list[_Span] = []
        """The characters of the text at the mark that were deleted, with who deleted them."""
        self._edits: Authorship = Authorship((), 0)
        self._author, self._when = "", 0

    def begin(self, checkpoint: Any | None) -> None:
        document = Document(None if checkpoint is None else note_state(checkpoint))
        if document.is_like(self._document) and document.digest() == self._document.digest():
            return
        self._document = document
        document.hear(self._heard)
        self.mark()

    def take(self, message: Any, author: str, when: int) -> None:
        self._author, self._when = author, when
        with suppress(BrokenUpdateError):  # the object skips it as well
            self._document.merge(note_update(self._document, message))

    def state(self) -> Runs:
        return self._document.runs()

    def checkpoint(self) -> Any:
        return packed(self._document.whole())

    def mark(self) -> None:
        self._spans = [_Span(len(self._document), 0)] if len(self._document) else []
        self._gone = []
        self._edits = Authorship((), 0)

    def authors(self, before: Any, after: Any) -> Mapping[str, Authorship]:
        found = {one.key: self._authors_of(one) for one in hunks(text_of(before), text_of(after))}
        return {**found, LOOKS: self._edits}

    def _authors_of(self, hunk: Hunk) -> Authorship:
        at, came = 0, []
        for span in self._spans:
            if span.origin < 0 and at < hunk.new_end and at + span.length > hunk.new_start:
                came.append(span)
            at += span.length
        went = [one for one in self._gone if one.origin < hunk.end and one.origin + one.length > hunk.start]
        found = Authorship((), 0)
        for span in sorted((*came, *went), key=lambda one: one.when):
            found = found.with_(span.author, span.when)
        return found if found.people else self._edits

    def _heard(self, delta: Delta) -> None:
        self._edits = self._edits.with_(self._author, self._when)
        made: list[_Span] = []
        rest = list(reversed(self._spans))
        for part in delta:
            if isinstance(part, Insert):
                _push(made, _Span(len(part.text), -1, self._author, self._when))
                continue
            for span in _taken(rest, part.length):
                if not isinstance(part, Delete):
                    _push(made, span)
                elif span.origin >= 0:
                    self._gone.append(replace(span, author=self._author, when=self._when))
        for span in reversed(rest):
            _push(made, span)
        self._spans = made


def _taken(rest: list[_Span], length: int) -> list[_Span]:
    """Take characters from a reversed list of spans."""
    found = []
    while length > 0 and rest:
        span = rest.pop()
        if span.length > length:
            rest.append(span.part(length, span.length))
            span = span.part(0, length)
        length -= span.length
        found.append(span)
    return found


def _push(made: list[_Span], span: _Span) -> None:
    """Append a span, joined to its neighbour where they have one author: a person types letter by letter."""
    last = made[-1] if made else None
    if last is not None and last.origin < 0 and span.origin < 0 and last.author == span.author:
        made[-1] = replace(last, length=last.length + span.length, when=max(last.when, span.when))
    else:
        made.append(span)

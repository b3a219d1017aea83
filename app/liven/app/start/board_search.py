"""The search of the gallery: over names, people, and the words that boards held when they were last open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.app.start.gallery import Board
from liven.app.start.last_looks import LastLooks
from liven.runtime.files import read_regular

_AROUND: Final = 24
"""Letters of the text before what was found."""
_SNIPPET: Final = 60
_LARGEST: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """A board that is listed, and the words by which it was found; empty if that is its name."""

    board: Board
    snippet: str = ""


class BoardSearch:
    """The search. Words of boards are read when something is looked for first, and kept until `forget`."""

    def __init__(self, looks: LastLooks) -> None:
        self._looks = looks
        self._known: dict[Path, str] = {}

    def forget(self) -> None:
        """Forget the words: boards may hold others now."""
        self._known.clear()

    def find(self, boards: Iterable[Board], words: str, people: Mapping[Path, str]) -> list[Found]:
        """Return the boards that have every one of these words: first those in whose names they are."""
        wanted = words.casefold().split()
        named: list[Found] = []
        holding: list[Found] = []
        for board in boards:
            title = f"{board.title} {board.path.stem} {people.get(board.path, '')}".casefold()
            if all(word in title for word in wanted):
                named.append(Found(board))
                continue
            text = self._words(board.path)
            both = f"{title} {text.casefold()}"
            if all(word in both for word in wanted):
                holding.append(Found(board, snippet_of(text, wanted)))
        return [*named, *holding]

    def _words(self, path: Path) -> str:
        if path not in self._known:
            try:
                self._known[path] = self._looks.words(read_regular(path, _LARGEST))
            except OSError:
                self._known[path] = ""
        return self._known[path]


def snippet_of(text: str, wanted: Iterable[str]) -> str:
    """Return the place of a text where the first of these words stands, on one line."""
    flat = " ".join(text.split())
    folded = flat.casefold()
    at = min((place for word in wanted if (place := folded.find(word)) >= 0), default=0)
    start = max(0, at - _AROUND)
    cut = flat[start : start + _SNIPPET].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _SNIPPET < len(flat) else ''}"

"""The keys of a replay at a terminal: bytes of the terminal become names of keys, names become commands."""

from __future__ import annotations

from typing import Final

_ESCAPE: Final = "\x1b"
_NAMES: Final = {
    " ": "space",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1b[1;2C": "shift right",
    "\x1b[1;2D": "shift left",
    ".": "shift right",
    ",": "shift left",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1b[H": "home",
    "\x1bOH": "home",
    "\x1b[1~": "home",
    "\x1b[7~": "home",
    "\x1b[F": "end",
    "\x1bOF": "end",
    "\x1b[4~": "end",
    "\x1b[8~": "end",
}
_LETTERS: Final = "bmlqa"
_LONGEST: Final = 12
"""Letters of a sequence; a longer one is no key."""
HELP: Final = (
    "Keys: space pause or play, → ← one event, . , (or shift → ←) one second, ↑ ↓ speed,\n"
    "home end the first and the last moment, b a burst of 10 events, m bookmark, l loop,\n"
    "a the beginning of a part to repeat, then its end, then no part, q quit."
)


class KeyReader:
    """Takes the bytes of a terminal and returns keys. The rest of an unfinished sequence waits."""

    def __init__(self) -> None:
        self._rest = ""

    def keys(self, data: bytes) -> list[str]:
        """Return the names of the keys in some bytes; unknown ones are left out."""
        text = self._rest + data.decode("utf-8", "replace")
        self._rest = ""
        found = []
        while text:
            size = _length(text)
            if size == 0:
                self._rest = text
                break
            one, text = text[:size], text[size:]
            name = _NAMES.get(one) or (one.lower() if one.lower() in _LETTERS else "")
            if name:
                found.append(name)
        return found


def _length(text: str) -> int:
    """Return the letters of the first key; 0 if more are to come."""
    if text[0] != _ESCAPE:
        return 1
    if len(text) == 1:
        return 0
    if text[1] not in "[O":
        return 1
    for place in range(2, min(len(text), _LONGEST)):
        if text[place].isalpha() or text[place] == "~":
            return place + 1
    return 0 if len(text) < _LONGEST else _LONGEST

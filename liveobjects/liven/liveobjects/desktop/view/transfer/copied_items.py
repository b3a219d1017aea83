"""The items on the clipboard: their contents when they were copied, and if a cut item was pasted already.

The clipboard itself carries recipes and a token. The contents stay in this program, where a paste finds them
by the token; a paste in another program copies the contents of that moment.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QMimeData

from liven.liveobjects.copying.states import State

COPIED: Final = "application/x-liveobjects-copied+json"
"""MIME type of items that were copied or cut: a token, and true if they were cut."""
_MOST_TOKENS: Final = 100


class CopiedItems:
    """The items on the clipboard, as far as one program knows them."""

    def __init__(self) -> None:
        self._token = ""
        self._states: Mapping[str, State] = {}
        self._placed: list[str] = []
        """The tokens of cuts that were pasted here."""

    def mark(self, data: QMimeData, states: Mapping[str, State], *, cut: bool) -> None:
        """Mark clipboard data as copied, or as cut, and keep the contents of the items."""
        self._token, self._states = secrets.token_hex(16), states
        data.setData(COPIED, json.dumps([self._token, cut]).encode())

    def states(self, data: QMimeData) -> Mapping[str, State]:
        """Return the contents that the items had when they were copied, as far as they were known."""
        return self._states if _token(data)[0] == self._token else {}

    def may_place(self, data: QMimeData) -> bool:
        """Return True if a paste places the objects themselves: they were cut and not pasted yet, or are no
        copied items."""
        token, cut = _token(data)
        return not token or (cut and token not in self._placed)

    def placed(self, data: QMimeData) -> None:
        """Note that objects that were cut are on a desktop again."""
        self._placed = [*self._placed, _token(data)[0]][-_MOST_TOKENS:]


def _token(data: QMimeData) -> tuple[str, bool]:
    try:
        token, cut = json.loads(bytes(data.data(COPIED).data()))
    except (ValueError, TypeError, RecursionError):
        return "", False
    return str(token), cut is True

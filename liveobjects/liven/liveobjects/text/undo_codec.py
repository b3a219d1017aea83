"""The list of what can be undone in a note, as bytes in a file of the person's own."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

from liven.liveobjects.text.document import Marks
from liven.liveobjects.text.model import Step


def kept(undo: tuple[Step, ...], redo: tuple[Step, ...]) -> bytes:
    """Both lists as bytes."""
    return json.dumps([[_plain(step) for step in steps] for steps in (undo, redo)]).encode()


def read(data: bytes) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The lists; ValueError if these bytes are none."""
    try:
        undo, redo = json.loads(data)
        return tuple(map(_step, undo)), tuple(map(_step, redo))
    except (ValueError, TypeError) as error:
        raise ValueError(f"a list of what can be undone cannot be read ({error})") from None


def _plain(step: Step) -> list[str]:
    return [step.name, b64encode(step.marks.removed).decode(), b64encode(step.marks.wrote).decode()]


def _step(found: Any) -> Step:
    name, removed, wrote = found
    return Step(str(name), Marks(b64decode(removed, validate=True), b64decode(wrote, validate=True)))

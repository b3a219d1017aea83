"""The undo list of a note as bytes, for the undo file."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

from liven.liveobjects.text.document import Marks
from liven.liveobjects.text.model import Step


def encode(undo: tuple[Step, ...], redo: tuple[Step, ...]) -> bytes:
    """Return both lists as bytes."""
    return json.dumps([[_plain(step) for step in steps] for steps in (undo, redo)]).encode()


def decode(data: bytes) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return both lists. Raise ValueError if the bytes are invalid."""
    try:
        undo, redo = json.loads(data)
        return tuple(map(_step, undo)), tuple(map(_step, redo))
    except (ValueError, TypeError) as error:
        raise ValueError(f"the undo list cannot be read ({error})") from None


def _plain(step: Step) -> list[str]:
    return [step.name, b64encode(step.marks.removed).decode(), b64encode(step.marks.wrote).decode()]


def _step(found: Any) -> Step:
    name, removed, wrote = found
    return Step(str(name), Marks(b64decode(removed, validate=True), b64decode(wrote, validate=True)))

"""Undo lists as bytes, for objects whose changes are plain records.

A change is written as its type and fields. The reader names the allowed types, so foreign bytes cannot create
anything else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields, is_dataclass
from typing import Any, Final, TypeVar

from liven.runtime.fold.undo import Step
from liven.runtime.fold.undo_store import LARGEST

C = TypeVar("C")
_BRACKETS: Final = 16
_PLAIN: Final[dict[str, type]] = {
    "str": str,
    "int": int,
    "Int64": int,
    "UInt32": int,
    "bool": bool,
}


def encode_steps(lists: tuple[tuple[Step[Any], ...], tuple[Step[Any], ...]]) -> bytes:
    """Return the undo and redo lists as bytes. Of a long list, keep only the newest steps that fit the
    limit."""
    room = LARGEST
    told: list[str] = []
    for steps in lists:
        kept: list[str] = []
        for step in reversed(steps):
            row = [step.name, [_plain(one) for one in step.inverse], list(step.own)]
            one = json.dumps([*row, True] if step.elsewhere else row)
            room -= len(one) + 2
            if room < _BRACKETS:
                break
            kept.append(one)
        told.append(f"[{', '.join(reversed(kept))}]")
    return f"[{', '.join(told)}]".encode()


def decode_steps(data: bytes, kinds: Iterable[type]) -> tuple[tuple[Step[Any], ...], tuple[Step[Any], ...]]:
    """Return the undo and redo lists. Allow only changes of these `kinds` and the records inside them. Raise
    ValueError if the bytes are invalid."""
    known = {kind.__name__: kind for kind in kinds}
    try:
        undo, redo = json.loads(data)
        return _steps(undo, known), _steps(redo, known)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"the undo list cannot be read ({error})") from None


def _plain(change: Any) -> list[Any]:
    return [type(change).__name__, asdict(change)]


def _steps(found: Any, known: dict[str, type]) -> tuple[Step[Any], ...]:
    return tuple(_step(*one, known=known) for one in found)


def _step(
    name: Any, changes: Any, own: Any = (), elsewhere: Any = False, *, known: dict[str, type]
) -> Step[Any]:
    """Build a step. Files of earlier versions lack `own`."""
    made = tuple(_record(known[kind], given, known) for kind, given in changes)
    told = tuple(_value("str", one, known) for one in own)
    return Step(0, str(name), made, told, elsewhere=elsewhere is True)


def _record(kind: type, given: dict[str, Any], known: dict[str, type]) -> Any:
    assert is_dataclass(kind), "the kinds of a model's changes are records"
    if set(given) != {one.name for one in fields(kind)}:
        raise ValueError(f"{sorted(given)} are not the fields of {kind.__name__}")
    return kind(**{one.name: _value(str(one.type), given[one.name], known) for one in fields(kind)})


def _value(wanted: str, found: Any, known: dict[str, type]) -> Any:
    if wanted in known:
        return _record(known[wanted], found, known)
    if wanted == "float" and type(found) in (int, float):
        return float(found)
    if type(found) is not _PLAIN[wanted]:
        raise ValueError(f"{found!r} is not a {wanted}")
    return found

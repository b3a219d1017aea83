"""The list of what can be undone on a desktop, as bytes in a file of the person's own."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from liven.liveobjects.desktop.state import (
    Add,
    Change,
    Item,
    Join,
    Link,
    Lock,
    Move,
    Paint,
    Part,
    Place,
    Regroup,
    Remove,
    Rename,
    Restack,
)
from liven.liveobjects.fold import Step

Steps = tuple[Step[Change], ...]
_KINDS = {
    kind.__name__: kind for kind in (Add, Join, Lock, Move, Paint, Part, Regroup, Remove, Rename, Restack)
}
_PLAIN: dict[str, type] = {
    "key": str,
    "label": str,
    "reference": str,
    "group": str,
    "source": str,
    "target": str,
    "background": str,
    "z": int,
    "locked": bool,
}


def kept(undo: Steps, redo: Steps) -> bytes:
    """Both lists as bytes."""
    lists = [[[step.name, [_plain(one) for one in step.inverse]] for step in steps] for steps in (undo, redo)]
    return json.dumps(lists, ensure_ascii=False).encode()


def read(data: bytes) -> tuple[Steps, Steps]:
    """The lists; ValueError if these bytes are none."""
    try:
        undo, redo = json.loads(data)
        return _steps(undo), _steps(redo)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"a list of what can be undone cannot be read ({error})") from None


def _plain(change: Change) -> list[Any]:
    return [type(change).__name__, asdict(change)]


def _steps(found: Any) -> Steps:
    return tuple(Step(0, str(name), tuple(_change(*one) for one in changes)) for name, changes in found)


def _change(kind: str, fields: dict[str, Any]) -> Change:
    made: Change = _KINDS[kind](**{name: _value(name, found) for name, found in fields.items()})
    return made


def _value(name: str, found: Any) -> Any:
    if name == "place":
        return Place(**{key: float(number) for key, number in found.items()})
    if name == "item":
        return Item(**{key: _value(key, one) for key, one in found.items()})
    if name == "link":
        return Link(**{key: _value(key, one) for key, one in found.items()})
    if not isinstance(found, _PLAIN[name]):
        raise ValueError(f"{name} is {found!r}")
    return found

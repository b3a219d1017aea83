"""A table as text, its columns as wide as their values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from liven.app.network.cli import printable

_WIDEST: Final = 40


def text_table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return the lines of a table: the names, a rule, and the rows."""
    heads = [printable(name) for name in names]
    cells = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = (heads, ["-" * width for width in widths], *cells)
    return [
        "  ".join(one.ljust(width) for one, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def cell(value: Any) -> str:
    """Return a value of JSON on one short line."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    shown = printable(text)
    return shown if len(shown) <= _WIDEST else shown[: _WIDEST - 1] + "…"

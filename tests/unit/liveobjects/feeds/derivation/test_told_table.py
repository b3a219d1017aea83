"""Tables out of lines of JSON; a line of another form is refused."""

from __future__ import annotations

from typing import Any

import pytest

from liven.liveobjects.feeds.derivation.told_table import told_table
from liven.liveobjects.table.value import RealColumn, Table, TextColumn

EVENT = {
    "columns": [["sector", "text"], ["mean", "real"]],
    "rows": [["a", 1], [None, None]],
    "cut": True,
    "at": 7,
}


def test_rows_become_columns() -> None:
    expected = Table([TextColumn("sector", ["a", None]), RealColumn("mean", [1.0, None])], 7, True)
    assert told_table(EVENT) == expected
    assert told_table({**EVENT, "rows": []}).columns[1].values == []


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [["a"]]},
        {"rows": [["a", "b"]]},
        {"rows": [7]},
        {"rows": None},
        {"columns": [["sector"]]},
        {"columns": [["sector", "text"], ["mean", "colour"]]},
        {"at": "now"},
    ],
)
def test_an_event_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        told_table({**EVENT, **change})
    with pytest.raises(ValueError, match="no table"):
        told_table({})

"""The report of a child process is read strictly: anything else is refused, with one kind of error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.library.trial.probe_report import (
    MOST_DECLARED,
    Declared,
    ProbeReport,
    ProbeReportError,
    parsed,
    read_report,
)

BOX = Declared("component", "11112222333344445555666677778888`2", "example:box", "box.py", "Box", ("a", "b"))
ROW: dict[str, Any] = ProbeReport((BOX,)).as_record()["declares"][0]  # type: ignore[index]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*ROW, "declares", "problem", "detail"]) | st.text(max_size=3), inner
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "answer", [ProbeReport(), ProbeReport((BOX, BOX)), ProbeReport((), "it loops", "the traceback")]
)
def test_a_report_is_read_as_it_was_written(answer: ProbeReport) -> None:
    assert read_report(parsed(json.dumps(answer.as_record()))) == answer


@given(JSON)
def test_any_json_is_an_answer_or_refused(record: object) -> None:
    try:
        answer = read_report(record)
    except ProbeReportError:
        return
    assert read_report(json.loads(json.dumps(answer.as_record()))) == answer


@given(st.sampled_from(list(ROW)), JSON)
def test_a_row_with_another_thing_in_it_is_an_answer_or_refused(name: str, thing: object) -> None:
    try:
        answer = read_report({"declares": [{**ROW, name: thing}]})
    except ProbeReportError:
        return
    assert answer.declares[0] != BOX or thing == ROW[name]


@pytest.mark.parametrize("text", ["", "{", "[" * 200_000, b"\xff\xfe\x00", "1e", "\x00"])
def test_invalid_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ProbeReportError, match="not JSON"):
        parsed(text)


@pytest.mark.parametrize(
    "row",
    [
        {**ROW, "kind": "thing"},
        {**ROW, "id": "not an id"},
        {**ROW, "lines": "ab"},
        {**ROW, "lines": [1]},
        {**ROW, "alias": None},
        {**ROW, "more": ""},
        {name: ROW[name] for name in ROW if name != "lines"},
        5,
    ],
)
def test_a_row_of_another_form_is_refused(row: object) -> None:
    with pytest.raises(ProbeReportError, match="declared class"):
        read_report({"declares": [ROW, row]})


def test_the_classes_that_a_library_may_declare_are_bounded() -> None:
    with pytest.raises(ProbeReportError, match="more than 10,000"):
        read_report({"declares": [ROW] * (MOST_DECLARED + 1)})

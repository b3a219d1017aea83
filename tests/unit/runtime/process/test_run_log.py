from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.problems import Kind, Problem
from liven.runtime.process.run_log import RunLog, plain
from liven.types.explanation import Explanation


@dataclass(frozen=True)
class Point:
    x: float
    parts: tuple[bytes, ...]


def lines(as_json: bool, *calls: tuple[Any, ...]) -> list[str]:
    to = io.StringIO()
    journal = RunLog(as_json=as_json, to=to)
    for name, *arguments in calls:
        getattr(journal, name)(*arguments)
    return [line.split(None, 1)[1] if not as_json else line for line in to.getvalue().splitlines()]


def test_people_read_one_line_for_each_event() -> None:
    shown = lines(
        False, ("event", "note.channel", "out", "say", ({"text": "hi"}, 3)), ("say", "ended", "note")
    )
    assert shown == ['note.channel out.say {"text": "hi"} 3', "note: ended"]


def test_a_sentence_follows_a_colon() -> None:
    to = io.StringIO()
    RunLog(as_json=False, to=to).say("loading", "note", what="looking for its classes")
    assert to.getvalue().endswith("  note: loading: looking for its classes\n")


def test_programs_read_one_object_for_each_event() -> None:
    (line,) = lines(True, ("event", "note.channel", "in", "say", (Point(1.5, (b"\x01",)),)))
    record = json.loads(line)
    assert record.pop("time") >= 0
    assert record == {
        "kind": "event",
        "subject": "note.channel",
        "way": "in",
        "event": "say",
        "values": [{"x": 1.5, "parts": ["01"]}],
    }


def test_a_problem_is_logged_with_its_explanation() -> None:
    problem = Problem(Kind.REFUSED, ("a", "b"), "no", "mend it", explanation=Explanation(False, "b is not a"))
    to = io.StringIO()
    RunLog(as_json=False, to=to).problem(problem)
    assert to.getvalue().endswith("problem: a / b: no (mend it)\n✗ b is not a\n")
    (line,) = lines(True, ("problem", problem))
    assert json.loads(line)["problem"]["where"] == ["a", "b"]


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def test_the_end_of_a_problem_is_not_called_one() -> None:
    to = io.StringIO()
    problem = Problem(Kind.SLOW, ("note",), "the handler ended after 3.4 s", topic="slow", is_over=True)
    RunLog(as_json=False, to=to).problem(problem)
    assert to.getvalue().split(None, 1)[1] == "over: note: the handler ended after 3.4 s\n"


@given(VALUES)
def test_every_neutral_value_can_be_written(value: Any) -> None:
    json.dumps(plain(value))

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.chat import model as module
from liven.liveobjects.chat.model import LONGEST_LINE, Change, ChatModel, Line, Say, Talk, Unsay
from liven.liveobjects.chat.object import ChatObject
from liven.runtime.fold import RefusedError, applied
from liven.runtime.testing import Bench

MODEL = ChatModel()
KEYS = st.sampled_from(["a", "b", "c", ""])
CHANGES = st.one_of(
    st.builds(Say, st.builds(Line, KEYS, KEYS, KEYS, KEYS, st.integers(0, 9), st.sampled_from(["hi", " "]))),
    st.builds(Unsay, KEYS),
)


def line(key: str, text: str = "hello") -> Line:
    return Line(key, "p", "Ann", "#112233", 0, text)


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(ChatObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def words(chat: Any) -> list[str]:
    return [one.text for one in chat.editor.state.said()]


def test_everybody_gets_the_lines_in_one_order_also_a_late_joiner() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        channel.hold()
        bob.say("second?")
        ann.say("first?")
        assert words(ann) == ["first?"]
        channel.release()
        assert words(ann) == words(bob) == words(join(bench, channel)) == ["second?", "first?"]


def test_undo_deletes_only_my_own_line() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        ann.say("oops")
        bob.say("what?")
        assert ann.editor.undo() == "Say"
        assert words(bob) == ["what?"]
        assert ann.editor.undo() is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Say(line("a")), "sent already"),
        (Say(line("")), "a valid name"),
        (Say(line("b", " \n")), "1 to 4,000 characters"),
        (Say(line("b", "x" * (LONGEST_LINE + 1))), "this one has 4,001"),
        (Unsay("z"), "removed already"),
    ],
)
def test_an_invalid_change_is_refused_with_the_reason(change: Change, why: str) -> None:
    state, _, _ = applied(MODEL, Talk(), (Say(line("a")),))
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(state, change)


def test_the_oldest_lines_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LINES", 3)
    state, _, _ = applied(MODEL, Talk(), tuple(Say(line(str(number))) for number in range(5)))
    assert state.order == ("2", "3", "4")
    assert set(state.lines) == set(state.order)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), CHANGES), max_size=12), st.integers(0, 5))
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[bool, Change]], some: int) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel) for _ in range(2)]
        channel.hold()
        for number, (who, change) in enumerate(steps):
            try:
                people[who].editor.edit("deed", change)
            except RefusedError:
                people[who].editor.undo()
            if number == some:
                channel.release(2)
        channel.release()
        late = join(bench, channel)
        assert len({MODEL.digest(one.editor.confirmed) for one in (*people, late)}) == 1
        assert all(one.editor.state == one.editor.confirmed for one in people)


def test_an_invalid_colour_takes_no_space() -> None:
    """Otherwise every replica would store 5,000 colours of any length."""
    with pytest.raises(RefusedError, match="not a colour"):
        MODEL.apply(Talk(), Say(Line("k", "p", "Ann", "#" * 100_000, 0, "hi")))

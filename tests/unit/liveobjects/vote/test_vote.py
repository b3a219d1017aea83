from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.delayed_replicas import edit_out_of_step

from liven.liveobjects.vote.model import MOST_ANSWERS, Ask, Cast, Change, Offer, Poll, VoteModel, Withdraw
from liven.liveobjects.vote.object import VoteObject
from liven.runtime.fold import RefusedError, applied
from liven.runtime.testing import Bench

MODEL = VoteModel()
KEYS = st.sampled_from(["a", "b", ""])
CHANGES = st.one_of(
    st.builds(Ask, KEYS),
    st.builds(Offer, KEYS, st.sampled_from(["tea", " "])),
    st.builds(Withdraw, KEYS),
    st.builds(Cast, st.sampled_from(["p", "q"]), KEYS),
)


def join(bench: Bench, channel: Any, person: str) -> Any:
    bench.node.person = person
    built = bench.build(VoteObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def poll(*changes: Change) -> Poll:
    state, _, refused = applied(MODEL, Poll(), changes)
    assert refused == ()
    return state


def test_each_has_one_voice_and_may_give_it_to_another_answer() -> None:
    state = poll(Offer("a", "tea"), Offer("b", "coffee"), Cast("p", "a"), Cast("q", "a"), Cast("p", "b"))
    assert state.counted() == {"a": 1, "b": 1}
    assert MODEL.apply(state, Cast("p", "")).counted() == {"a": 1, "b": 0}


def test_an_answer_that_is_taken_away_comes_back_with_its_voices() -> None:
    state = poll(Offer("a", "tea"), Offer("b", "coffee"), Cast("p", "a"), Cast("q", "b"))
    after, back, _ = applied(MODEL, state, (Withdraw("a"),))
    assert after.counted() == {"b": 1}
    again, _, refused = applied(MODEL, after, back)
    assert refused == ()
    assert again.counted() == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Ask("x" * 501), "the limit is 500"),
        (Offer("a", "again"), "such an answer already"),
        (Offer("c", " "), "must not be empty"),
        (Withdraw("z"), "removed already"),
        (Cast("p", "z"), "removed already"),
        (Cast("p", "a"), "voted for it already"),
    ],
)
def test_what_cannot_be_is_refused_in_words(change: Change, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(poll(Offer("a", "tea"), Cast("p", "a")), change)


def test_there_is_an_end_to_answers() -> None:
    state = poll(*(Offer(str(number), "x") for number in range(MOST_ANSWERS)))
    with pytest.raises(RefusedError, match="the limit is 50"):
        MODEL.apply(state, Offer("more", "x"))


@given(st.lists(CHANGES, max_size=20), CHANGES)
def test_a_change_that_is_taken_back_leaves_the_same_voices(before: list[Change], change: Change) -> None:
    state, _, _ = applied(MODEL, Poll(), tuple(before))
    after, back, refused = applied(MODEL, state, (change,))
    if not refused:
        again, _, _ = applied(MODEL, after, back)
        assert (again.question, again.counted()) == (state.question, state.counted())
        assert dict(again.voices) == dict(state.voices)


def test_people_vote_and_take_back_and_newcomers_know() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel, "ann"), join(bench, channel, "bob")
        ann.ask("Tea?")
        ann.offer("yes")
        [yes] = ann.editor.state.answers
        bench.node.person = "ann"
        ann.choose(yes.key)
        bench.node.person = "bob"
        bob.choose(yes.key)
        assert bob.mine == yes.key
        assert ann.editor.state.counted() == {yes.key: 2}
        bob.choose(yes.key)
        assert bob.mine == ""
        late = join(bench, channel, "cat")
        assert late.editor.state.question == "Tea?"
        assert MODEL.digest(late.editor.confirmed) == MODEL.digest(ann.editor.confirmed)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), CHANGES), max_size=12))
def test_replicas_are_equal_whatever_the_order(steps: list[tuple[bool, Change]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel, name) for name in ("ann", "bob")]
        edit_out_of_step(channel, people, steps)
        late = join(bench, channel, "late")
        assert len({MODEL.digest(one.editor.confirmed) for one in (*people, late)}) == 1
        assert all(one.editor.state == one.editor.confirmed for one in people)

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.delayed_replicas import edit_out_of_step

from liven.liveobjects.presence.participant import Participant
from liven.liveobjects.vote.model import (
    MOST_ANSWERS,
    Ask,
    Cast,
    Change,
    Introduce,
    Offer,
    Poll,
    VoteModel,
    Voter,
    Withdraw,
)
from liven.liveobjects.vote.object import VoteObject, VoteState, _pack, _unpack
from liven.runtime.fold import RefusedError, applied
from liven.runtime.testing import Bench

MODEL = VoteModel()
KEYS = st.sampled_from(["a", "b", ""])
CHANGES = st.one_of(
    st.builds(Ask, KEYS),
    st.builds(Offer, KEYS, st.sampled_from(["tea", " "])),
    st.builds(Withdraw, KEYS),
    st.builds(Cast, st.sampled_from(["p", "q"]), KEYS),
    st.builds(Introduce, st.sampled_from(["p", "q"]), st.sampled_from(["", "Ada"]), st.just("#102030")),
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


def test_each_person_has_one_vote_and_can_move_it() -> None:
    state = poll(Offer("a", "tea"), Offer("b", "coffee"), Cast("p", "a"), Cast("q", "a"), Cast("p", "b"))
    assert state.counted() == {"a": 1, "b": 1}
    assert MODEL.apply(state, Cast("p", "")).counted() == {"a": 1, "b": 0}


def test_a_restored_answer_has_its_votes_again() -> None:
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
        (Introduce("p", "x" * 61, ""), "up to 60 characters"),
        (Introduce("p", "", ""), "that is the name already"),
    ],
)
def test_an_invalid_change_is_refused_with_the_reason(change: Change, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(poll(Offer("a", "tea"), Cast("p", "a")), change)


def test_who_votes_tells_a_name_once_and_undo_takes_both_back() -> None:
    with Bench() as bench:
        channel = bench.channel()
        bench.node.services[Participant] = lambda: Participant("p", "Ada", "#102030")
        ann, other = join(bench, channel, "ann"), join(bench, channel, "bob")
        ann.offer("tea")
        key = ann.editor.state.answers[0].key
        bench.node.person = "ann"
        ann.choose(key)
        assert dict(ann.editor.state.people) == {"ann": Voter("Ada", "#102030")}
        assert other.editor.state.people == ann.editor.state.people
        ann.choose(key)
        ann.choose(key)
        assert ann.mine == key
        ann.editor.undo()
        ann.editor.undo()
        ann.editor.undo()
        assert not ann.editor.state.people
        assert not ann.mine


def test_a_checkpoint_of_an_older_program_has_no_names() -> None:
    state = poll(Offer("a", "tea"), Cast("p", "a"))
    assert _pack(state).whose is None
    older = VoteState("", [Offer("a", "tea")], {"p": "a"})
    assert _unpack(older) == state
    named = poll(Offer("a", "tea"), Introduce("p", "Ada", "#102030"), Cast("p", "a"))
    assert _unpack(_pack(named)) == named
    assert MODEL.digest(named) != MODEL.digest(state)
    forgotten = MODEL.apply(named, Introduce("p", "", ""))
    assert MODEL.digest(forgotten) == MODEL.digest(state)


def test_the_number_of_answers_is_limited() -> None:
    state = poll(*(Offer(str(number), "x") for number in range(MOST_ANSWERS)))
    with pytest.raises(RefusedError, match="the limit is 50"):
        MODEL.apply(state, Offer("more", "x"))


@given(st.lists(CHANGES, max_size=20), CHANGES)
def test_undoing_a_change_restores_the_same_votes(before: list[Change], change: Change) -> None:
    state, _, _ = applied(MODEL, Poll(), tuple(before))
    after, back, refused = applied(MODEL, state, (change,))
    if not refused:
        again, _, _ = applied(MODEL, after, back)
        assert (again.question, again.counted()) == (state.question, state.counted())
        assert dict(again.voices) == dict(state.voices)


def test_people_vote_and_undo_and_a_late_joiner_sees_it() -> None:
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
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[bool, Change]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel, name) for name in ("ann", "bob")]
        edit_out_of_step(channel, people, steps)
        late = join(bench, channel, "late")
        assert len({MODEL.digest(one.editor.confirmed) for one in (*people, late)}) == 1
        assert all(one.editor.state == one.editor.confirmed for one in people)

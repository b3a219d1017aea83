from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.colour.object import FIRST, Colour, ColourObject, ColourValue
from liven.runtime.testing import Bench

RED, BLUE = Colour(200, 0, 0, 255), Colour(0, 0, 200, 255)


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(ColourObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def test_a_constant_colour_is_a_stream_of_one_value() -> None:
    with Bench() as bench:
        probe = bench.build(ColourValue, R=1, G=2, B=3, A=4).probe("Endpoint")
        assert probe.heard == [("connect",), ("set", Colour(1, 2, 3, 4))]
        assert probe.call("get").value() == Colour(1, 2, 3, 4)
        probe.send("set", RED)
        assert "was ignored" in bench.problems.pop().what
        assert RED.text == "#c80000"


def test_the_last_choice_is_the_colour_for_everybody() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        assert ann.colour == FIRST
        told: list[str] = []
        bob.watchers.append(lambda: told.append(bob.colour.text))
        ann.choose(RED)
        bob.choose(BLUE)
        assert ann.colour == bob.colour == join(bench, channel).colour == BLUE
        assert told == ["#c80000", "#0000c8"]


def test_undo_restores_the_colour_unless_somebody_else_chose_since() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        ann.choose(RED)
        assert ann.undo()
        assert bob.colour == FIRST
        assert ann.redo()
        assert bob.colour == RED
        bob.choose(BLUE)
        assert not ann.undo()
        assert not ann.undo()
        assert bob.undo()
        assert ann.colour == RED


def test_nothing_can_be_chosen_before_the_channel_is_ready() -> None:
    with Bench() as bench:
        made = bench.build(ColourObject).instance
        made.choose(RED)
        assert made.colour == FIRST
        assert not made.undo()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([RED, BLUE, "undo", "redo", "release"])), max_size=12)
)
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[bool, Any]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel) for _ in range(2)]
        channel.hold()
        for who, deed in steps:
            if deed == "release":
                channel.release(1)
            elif isinstance(deed, str):
                getattr(people[who], deed)()
            else:
                people[who].choose(deed)
        channel.release()
        assert people[0].colour == people[1].colour

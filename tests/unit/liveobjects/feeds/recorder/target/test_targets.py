"""The channels in a recipe are found wherever they are; what refuses to be recorded is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liven.liveobjects.channel.api.names import group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION, channel, channel_reference, shared
from liven.liveobjects.feeds.recorder.target.targets import NO_RECORDING, Found, Skipped, Target, TargetFinder
from liven.liveobjects.new_objects import chat, counter
from liven.runtime.reference.model import (
    Attribute,
    Component,
    Composite,
    Object,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.types.catalogue import builtin_catalogue
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import INT64, TEXT


def found(thing: Object) -> list[Found]:
    return list(TargetFinder("home", builtin_catalogue(Formalisms())).inside(thing))


def note(name: str, on: Object) -> Reference:
    made = shared("liven:text", name, on)
    assert isinstance(made, Reference)
    return made


def test_a_channel_of_the_communication_system_has_the_name_of_its_group() -> None:
    (target,) = found(note("Minutes", channel("liven:text-operation", "liven:text-state", "abc")))
    assert isinstance(target, Target)
    assert target.channel == group_name("home", COMMUNICATION, "abc")
    assert (target.object, target.type, target.kind) == ("Minutes", "liven:text", "checkpointed")


def test_a_channel_by_itself_is_a_target() -> None:
    (target,) = found(channel_reference("home/f/board"))
    assert isinstance(target, Target)
    assert (target.channel, target.classes) == ("home/f/board", None)


def test_classes_that_the_recipe_states_are_known() -> None:
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", "int64")),
        Parameter("CheckpointClass", OtherClass("ValueClass", "text")),
    )
    on = channel_reference("home/f/c")
    (target,) = found(note("N", replace(on, parameters=(*on.parameters, *classes))))
    assert isinstance(target, Target)
    assert target.classes is not None
    assert dict(target.classes.classes) == {"MessageClass": INT64, "CheckpointClass": TEXT}


def test_the_parts_of_a_composite_are_found() -> None:
    parts = (
        Component("a", note("A", channel_reference("home/f/a"))),
        Component("b", channel_reference("home/f/b", "group")),
    )
    there = [each for each in found(Composite(components=parts)) if isinstance(each, Target)]
    assert [(each.channel, each.kind) for each in there] == [
        ("home/f/a", "checkpointed"),
        ("home/f/b", "group"),
    ]


@pytest.mark.parametrize("adapter", ["liven:encrypt", "89BC5908C9724040399C132CB4E94D4E"])
def test_the_sealed_values_of_encrypted_channels_are_found(adapter: str) -> None:
    sealed = Reference(adapter, (Parameter("below", channel_reference("home/f/secret")),))
    (target,) = found(note("Diary", sealed))
    assert isinstance(target, Target)
    assert (target.channel, target.encrypted) == ("home/f/secret", True)
    assert target.classes is not None


def test_a_composite_that_encrypts_is_found_as_encrypted() -> None:
    lock = Component("lock", Reference("liven:encrypt"))
    both = Composite(components=(lock, Component("channel", channel_reference("home/f/secret"))))
    (target,) = found(both)
    assert isinstance(target, Target)
    assert target.encrypted
    (plain,) = found(note("Plain", channel_reference("home/f/plain")))
    assert isinstance(plain, Target)
    assert not plain.encrypted


def test_an_object_that_says_no_recording_is_left_out_with_everything_inside() -> None:
    inner = note("Inner", channel_reference("home/f/inner"))
    outer = note("Outer", channel_reference("home/f/outer"))
    refusing = replace(
        outer,
        parameters=(*outer.parameters, Parameter("more", inner)),
        attributes=(*outer.attributes, Attribute(NO_RECORDING, "private talks")),
    )
    (skipped,) = found(refusing)
    assert isinstance(skipped, Skipped)
    assert skipped.why == "its recipe refuses to be recorded: private talks"


def test_a_channel_that_says_no_recording_is_left_out() -> None:
    on = replace(channel_reference("home/f/c"), attributes=(Attribute(NO_RECORDING, "true"),))
    (skipped,) = found(note("N", on))
    assert isinstance(skipped, Skipped)
    assert skipped.why == "its recipe refuses to be recorded"


def test_a_text_that_is_no_recipe_is_named() -> None:
    (skipped,) = TargetFinder("home", None).in_text("<Object", "Desk")
    assert isinstance(skipped, Skipped)
    assert (skipped.object, skipped.why[:24]) == ("Desk", "its recipe cannot be rea")


@pytest.mark.parametrize("made", [chat("Talk"), counter("Score")])
def test_recipes_of_new_objects_have_a_target(made: Object) -> None:
    (target,) = TargetFinder("home", None).in_text(compact(made), "Desk")
    assert isinstance(target, Target)
    assert target.object.startswith("Desk/")


def test_a_seed_is_the_state_that_a_channel_begins_with() -> None:
    on = channel_reference("home/f/c")
    seeded = replace(on, parameters=(*on.parameters, Parameter("seed", Plain("string", "oWE="))))
    (target,) = found(note("N", seeded))
    assert isinstance(target, Target)
    assert target.seed == b"\xa1a"

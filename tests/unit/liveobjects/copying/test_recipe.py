"""Recipes of copies."""

from __future__ import annotations

from base64 import b64encode

import pytest

from liven.app.palette.new_objects import channel, desktop, note
from liven.app.palette.new_objects import desktop as table
from liven.liveobjects.channel.api.recipes import COMMUNICATION, channel_reference
from liven.liveobjects.copying.recipe import (
    CopyError,
    FreshNames,
    check_copied,
    copy_of,
    file_contents,
    has_channels,
    name_of_channel,
    own_channel,
    parameters_of,
    with_copies,
)
from liven.liveobjects.new_objects import roster
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import write

CLASSES = tuple(
    Parameter(name, OtherClass("ValueClass", "liven:int64")) for name in ("MessageClass", "CheckpointClass")
)


def reference(thing: Object) -> Reference:
    assert isinstance(thing, Reference)
    return thing


def parameter(thing: Object, name: str) -> Reference:
    found = next(one.value for one in thing.parameters if one.id == name)
    assert isinstance(found, Reference)
    return found


def test_a_copy_renames_the_channel_and_carries_the_state_and_its_classes() -> None:
    made = copy_of(reference(desktop("Table", "ours")), b"state", FreshNames())
    text = write(made).decode()
    assert "ours" not in text
    assert b64encode(b"state").decode() in text
    assert "8E058A84A89546389352AD2F551696CD" in text
    assert write(copy_of(made, b"state", FreshNames())) != write(made)


def test_a_channel_has_one_new_name_however_it_is_referred_to() -> None:
    names = FreshNames()
    by_registry, by_name = note("List", "ours"), channel_reference(f"home/{COMMUNICATION}/ours")
    assert names.of(parameter(by_registry, "channel")) == names.of(by_name)
    other = names.of(channel_reference(f"home/{COMMUNICATION}/theirs"))
    assert other != names.of(by_name)


def test_a_second_private_channel_is_renamed_too() -> None:
    second = Reference("liven:shared-channel", (*CLASSES, *channel_reference("home/place/second").parameters))
    thing = Reference(
        "x", (Parameter("channel", channel("liven:text", "liven:text", "first")), Parameter("log", second))
    )
    made = copy_of(thing, b"state", FreshNames())
    text = write(made).decode()
    assert "second" not in text
    assert "first" not in text
    assert name_of_channel(parameter(made, "log")).startswith("home/place/")
    assert parameter(made, "log").parameters[:2] == CLASSES
    assert name_of_channel(parameter(made, "log")) != name_of_channel(parameter(made, "channel"))


def test_a_channel_without_state_is_renamed_only() -> None:
    thing = reference(roster("Here"))
    made = copy_of(thing, None, FreshNames())
    before, after = parameter(thing, "presence"), parameter(made, "presence")
    assert own_channel(thing) is None
    assert (after.source, after.object_class) == (before.source, before.object_class)
    assert after.id != before.id
    assert name_of_channel(after) != name_of_channel(before)
    assert "seed" not in write(made).decode()


def test_a_channel_without_a_name_is_identified_by_its_recipe() -> None:
    assert name_of_channel(Reference("liven:shared-channel")) != ""


@pytest.mark.parametrize("thing", [Reference("x"), Composite()])
def test_an_object_without_its_own_channel_cannot_be_copied(thing: Object) -> None:
    with pytest.raises(CopyError, match="channel of their own"):
        check_copied(thing)


def test_parameters_are_copied_and_composites_stay() -> None:
    inner, joined = note("List"), Composite(components=(Component("a", note("Part")),))
    thing = Reference("liven:window", (Parameter("ui", inner), Parameter("other", joined)))
    assert parameters_of(thing) == [inner, joined]
    made = with_copies(thing, lambda one: copy_of(one, b"", FreshNames()))
    assert parameter(made, "ui") != inner
    assert made.parameters[1].value == joined
    plain = Reference("x", (Parameter("caption", Plain("string", "a")),))
    assert with_copies(plain, lambda one: copy_of(one, b"", FreshNames())) is plain


def test_a_recipe_too_large_to_reopen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    thing = table("Table")
    assert has_channels(thing)
    assert file_contents(thing) == write(thing)
    monkeypatch.setattr("liven.liveobjects.copying.recipe.LARGEST_FILE", len(write(thing)) - 1)
    with pytest.raises(CopyError, match="with its contents; the limit is"):
        file_contents(thing)

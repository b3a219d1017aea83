"""Patterns: each makes a desktop whose state can be decoded and holds what its drawing shows."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from liven.app.start.patterns import PATTERNS, Pattern
from liven.liveobjects.desktop.wire import DesktopState
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Object, Plain, Reference, name_of
from liven.runtime.reference.xml import read_object, write
from liven.types.codec import Codec
from liven.types.declare import TermBuilder


def seed_of(thing: Object) -> bytes:
    assert isinstance(thing, Reference)
    [channel] = [one.value for one in thing.parameters if one.id == "channel"]
    assert isinstance(channel, Reference)
    [seed] = [one.value for one in channel.parameters if one.id == "seed"]
    assert isinstance(seed, Plain)
    return b64decode(seed.text)


@pytest.mark.parametrize("pattern", [one for one in PATTERNS if one.sheets], ids=lambda one: one.name)
def test_each_pattern_makes_a_valid_desktop(pattern: Pattern) -> None:
    known = learn_stock(TypeKnowledge.stock())
    made = pattern.make("Mine")
    assert name_of(made) == "Mine"
    state: Any = Codec(TermBuilder(known.formalisms).value_of(DesktopState)).decode(seed_of(made))
    assert {item["key"]: item["label"] for item in state["items"]} == {
        one.key: one.name for one in pattern.sheets
    }
    assert {(link["source"], link["target"]) for link in state["links"]} == set(pattern.links)
    for item in state["items"]:
        thing = read_object(item["reference"])
        assert name_of(thing) == item["label"]
        assert item["place"]["x"] >= 40, "nothing is under the controls of the window"
        assert item["place"]["y"] >= 80


def test_two_desktops_of_one_pattern_share_nothing() -> None:
    one, other = (PATTERNS[1].make("Mine") for _ in range(2))
    assert write(one) != write(other)


def test_the_empty_pattern_is_an_empty_desktop() -> None:
    made = PATTERNS[0].make("Untitled")
    assert b"seed" not in write(made)

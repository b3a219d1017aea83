"""Deep copies, computed from states."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.copying.deep_copy import DEEPEST, DeepCopy, things_in, things_of
from liven.liveobjects.copying.recipe import CopyError, name_of_channel, own_channel, with_copies
from liven.liveobjects.copying.states import State
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.wire import DesktopState
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    Plain,
    Reference,
    name_of,
)
from liven.runtime.reference.xml import compact, read_object
from liven.types.codec import Codec
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT, ListOf, MapOf, Record

DESKTOP = TermBuilder(Formalisms(builtin_formalisms())).value_of(DesktopState)
HERE = Place(0, 0, 10, 10)


def written(name: str, words: str) -> State:
    return State(name, TEXT, words)


def laid(name: str, *things: Object | str) -> State:
    texts = [one if isinstance(one, str) else compact(one) for one in things]
    items = [Item(str(number), "", HERE, text) for number, text in enumerate(texts)]
    return State(name, DESKTOP, asdict(DesktopState("", items, [])))


def key(thing: Object) -> str:
    own = own_channel(thing)
    assert own is not None
    return name_of_channel(own)


def seed(thing: Object, kind: Any = DESKTOP) -> Any:
    """Return the initial state of a copy; None if it starts empty."""
    own = own_channel(thing)
    assert own is not None
    text = next((one.value for one in own.parameters if one.id == "seed"), None)
    return Codec(kind).decode(b64decode(text.text), "seed") if isinstance(text, Plain) else None


def lying(thing: Object) -> list[Object]:
    return [read_object(one["reference"]) for one in seed(thing)["items"]]


def test_items_of_a_copy_are_copies_with_their_own_state() -> None:
    table, page = desktop("Table"), note("List")
    made = with_copies(
        table, DeepCopy({key(table): laid("Table", page), key(page): written("List", "milk")}).of
    )
    [inner] = lying(made)
    assert (name_of(inner), seed(inner, TEXT)) == ("List", "milk")
    assert key(inner) != key(page)
    assert key(made) != key(table)


def test_an_item_present_twice_is_copied_once() -> None:
    table, page = desktop("Table"), note("List")
    made = with_copies(
        table, DeepCopy({key(table): laid("Table", page, page), key(page): written("List", "a")}).of
    )
    one, other = lying(made)
    assert one == other
    assert seed(other, TEXT) == "a"


def test_an_object_inside_itself_becomes_the_copy() -> None:
    table, inner = desktop("Table"), desktop("Inner")
    states = {key(table): laid("Table", inner, table), key(inner): laid("Inner", table, inner)}
    made = with_copies(table, DeepCopy(states).of)
    below, itself = lying(made)
    assert key(itself) == key(made)
    assert seed(itself) is None
    again, within = lying(below)
    assert (key(again), key(within)) == (key(made), key(below))
    assert seed(again) is None
    assert seed(within) is None


def test_objects_inside_each_other_start_with_all_their_items() -> None:
    """Otherwise the copy would be empty for whoever opens that place first."""
    table, one, other = desktop("Table"), desktop("One"), desktop("Other")
    states = {
        key(table): laid("Table", one, other),
        key(one): laid("One", other),
        key(other): laid("Other", one),
    }
    made = with_copies(table, DeepCopy(states).of)
    first, second = lying(made)
    assert [key(each) for each in lying(first)] == [key(second)]
    assert [key(each) for each in lying(second)] == [key(first)]
    assert seed(lying(first)[0]) is not None
    assert seed(lying(second)[0]) is not None


def test_items_without_state_or_readable_recipe_stay_shared() -> None:
    table, page = desktop("Table"), note("List")
    made = with_copies(table, DeepCopy({key(table): laid("Table", page, "<no recipe")}).of)
    assert [one["reference"] for one in seed(made)["items"]] == [compact(page), "<no recipe"]


def test_a_note_that_contains_a_recipe_as_text_is_unchanged() -> None:
    page, told = note("List"), compact(note("Other"))
    assert seed(with_copies(page, DeepCopy({key(page): written("List", told)}).of), TEXT) == told


def test_only_references_count_as_recipes() -> None:
    kind = Record((("name", TEXT), ("reference", TEXT), ("more", MapOf(ListOf(TEXT)))))
    state = State("x", kind, {"name": "a", "reference": "b", "more": {"reference": ["c"]}})
    assert state.recipes() == ["b"]


def test_deeply_nested_desktops_are_refused_before_memory_runs_out() -> None:
    chain = [desktop(f"D{number}") for number in range(DEEPEST + 2)]
    states = {key(one): laid(name_of(one), nested) for one, nested in pairwise(chain)}
    with pytest.raises(CopyError, match=f"nested more than {DEEPEST} deep"):
        with_copies(chain[0], DeepCopy(states).of)
    short = chain[: DEEPEST // 2]
    doubled = {key(one): laid(name_of(one), *[nested] * 20) for one, nested in pairwise(short)}
    with pytest.raises(CopyError, match="would have"):
        with_copies(chain[0], DeepCopy(doubled).of)


def test_desktops_all_inside_each_other_are_refused() -> None:
    all_of_them = [desktop(f"D{number}") for number in range(12)]
    states = {key(one): laid(name_of(one), *all_of_them) for one in all_of_them}
    with pytest.raises(CopyError, match="would have"):
        with_copies(all_of_them[0], DeepCopy(states).of)


def test_items_are_found_in_states_and_in_parameters() -> None:
    page = note("List")
    framed = Reference("liven:window", (Parameter("ui", page),))
    joined = Composite(id="both", components=(Component("a", page),))
    nameless = Reference("x", (Parameter("channel", parameter(page)),))
    assert [each.name for each in things_of(framed)] == ["List"]
    assert [each.name for each in things_of(joined)] == ["both"]
    assert [each.name for each in things_of(Reference("y", (Parameter("z", nameless),)))] == ["y"]
    assert things_of(Composite(id="none")) == []
    assert [each.recipe for each in things_in(laid("Table", framed, joined, "?"))] == [page, joined]


def parameter(thing: Object) -> Reference:
    own = own_channel(thing)
    assert own is not None
    return own

from __future__ import annotations

import sys
from typing import Any

import pytest

from liven.liveobjects.desktop.running_items import AT_ONCE, LINGER, Failed, Loading, Running, RunningItems
from liven.liveobjects.desktop.state import Item, Place
from liven.runtime.objects.context import Context
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import ExportedUI, proxy, scan

HERE = Place(0, 0, 10, 10)


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B01", alias="test:container")
class Container:
    def __init__(self, context: Context) -> None:
        self.context = context


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B02", alias="test:picture", view="some.view:make")
class Picture:
    UI: ExportedUI

    def __init__(self, context: Context) -> None:
        self.context = context


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B03", alias="test:clock")
class Clock:
    pass


def recipe(name: str) -> str:
    return (
        '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f'<Object xsi:type="ReferenceObject" id="test:{name}"/></Root>'
    )


def item(key: str, name: str = "picture") -> Item:
    return Item(key, key, HERE, recipe(name))


class House:
    """A bench with one container and its running items."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        module = sys.modules[__name__]
        register(bench.known.catalogue, scan(module), bench.known.matcher)
        self.changed: list[str] = []
        self.container = bench.build(Container)
        self.items = RunningItems(self.container.instance.context, self.changed.append)

    def settle(self) -> None:
        self.bench.advance(0.01)


def test_wanted_item_runs_and_shows_its_view() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a"), item("b", "clock")])
        assert house.items.presence("a") == Loading()
        house.settle()
        shown = house.items.presence("a")
        assert isinstance(shown, Running)
        assert shown.shown is not None
        assert shown.shown.view == "some.view:make"
        assert house.items.presence("b") == Running(None)
        assert set(house.changed) == {"a", "b"}
        house.items.close()


def test_unwanted_item_keeps_running_for_a_while() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a")])
        house.settle()
        house.items.want([])
        bench.advance(LINGER - 1)
        assert house.items.running == 1
        house.items.want([item("a")])
        bench.advance(LINGER + 1)
        assert house.items.running == 1
        house.items.want([])
        bench.advance(LINGER + 1)
        assert house.items.running == 0
        assert house.items.presence("a") is None


def test_item_that_cannot_be_built_says_why_and_can_be_retried() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a", "unheard-of")])
        house.settle()
        failed = house.items.presence("a")
        assert isinstance(failed, Failed)
        assert "unheard-of" in failed.why
        house.items.restart(item("a"))
        house.settle()
        assert isinstance(house.items.presence("a"), Running)
        house.items.close()
        bench.problems.clear()


def test_item_that_stops_by_itself_says_so() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a")])
        house.settle()
        running: Any = house.items.presence("a")

        def fail() -> None:
            raise RuntimeError("planted")

        running.shown.model.context.call_soon(fail)
        house.settle()
        assert house.items.presence("a") == Failed(
            "it stopped because of a fault; the problems panel says more"
        )
        bench.problems.clear()


def test_another_recipe_starts_another_object() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a")])
        house.settle()
        house.items.want([item("a", "clock")])
        house.settle()
        assert house.items.presence("a") == Running(None)
        house.items.close()


def test_many_items_start_one_per_turn_and_all_run_in_the_end() -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item(str(number)) for number in range(3 * AT_ONCE)])
        assert house.items.running == 0
        house.settle()
        assert house.items.running == 3 * AT_ONCE
        house.container.close()
        house.settle()
        assert len(bench.node.running) == 0


def test_first_wanted_item_starts_first_even_if_others_waited_before() -> None:
    with Bench() as bench:
        house = House(bench)
        nearby = [item(f"near{number}") for number in range(2 * AT_ONCE)]
        house.items.want(nearby)
        house.items.want([item("seen"), *nearby])
        house.settle()
        begun = list(dict.fromkeys(house.changed))
        assert begun[0] == "seen"
        assert house.items.running == 2 * AT_ONCE + 1


@pytest.mark.parametrize("when", ["loading", "running"])
def test_removed_item_stops_immediately(when: str) -> None:
    with Bench() as bench:
        house = House(bench)
        house.items.want([item("a")])
        if when == "running":
            house.settle()
        house.items.remove("a")
        house.settle()
        assert house.items.presence("a") is None
        assert house.items.running == 0

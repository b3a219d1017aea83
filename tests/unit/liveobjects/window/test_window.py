from __future__ import annotations

import sys
from typing import Any

import pytest

from liven.liveobjects.window.object import WindowObject
from liven.runtime.fold import RefusedError
from liven.runtime.objects.context import Context
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import ExportedUI, proxy, scan


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B21", alias="test:pane", view="some.view:make")
class Pane:
    UI: ExportedUI

    def __init__(self, context: Context) -> None:
        self.context = context


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B22", alias="test:unseen")
class Unseen:
    pass


def recipe(name: str) -> str:
    return (
        '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f'<Object xsi:type="ReferenceObject" id="test:{name}"/></Root>'
    )


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    register(made.known.catalogue, scan(sys.modules[__name__]), made.known.matcher)
    return made


def test_a_window_shows_the_object_of_its_recipe(bench: Bench) -> None:
    with bench:
        window: Any = bench.build(WindowObject, caption="Box")
        told: list[bool] = []
        window.instance.watchers.append(lambda: told.append(window.instance.content is not None))
        pane = bench.build(Pane)
        bench.connect(window, "ui", pane, "UI")
        assert window.instance.content.view == "some.view:make"
        pane.close()
        assert window.instance.content is None
        assert told == [True, False]


def test_an_added_object_replaces_that_of_the_recipe_until_it_is_taken_out(bench: Bench) -> None:
    with bench:
        window: Any = bench.build(WindowObject).instance
        window.put(recipe("pane"), "Pane")
        bench.advance(0.01)
        assert not window.loading
        assert window.content.view == "some.view:make"
        window.take_out()
        assert window.content is None
        assert len(bench.node.running) == 1


def test_an_object_without_a_view_is_refused_with_the_reason(bench: Bench) -> None:
    with bench:
        window = bench.build(WindowObject).instance
        with pytest.raises(RefusedError, match="UI"):
            window.put(recipe("unseen"), "x")
        assert window.content is None


def test_a_window_reports_an_object_that_cannot_be_built_or_ends(bench: Bench) -> None:
    with bench:
        window: Any = bench.build(WindowObject).instance
        window.put(recipe("pane"), "Pane")
        window.take_out()
        bench.advance(0.01)
        assert (window.content, window.trouble) == (None, "")
        window.put(recipe("pane"), "Pane")
        bench.advance(0.01)

        def fail() -> None:
            raise RuntimeError("planted")

        window.content.model.context.call_soon(fail)
        bench.advance(0.01)
        assert (window.content, window.trouble) == (None, "it has ended")
        bench.problems.clear()


def test_the_object_ends_with_the_window(bench: Bench) -> None:
    with bench:
        window = bench.build(WindowObject)
        window.instance.put(recipe("pane"), "Pane")
        bench.advance(0.01)
        window.close()
        bench.advance(0.01)
        assert len(bench.node.running) == 0

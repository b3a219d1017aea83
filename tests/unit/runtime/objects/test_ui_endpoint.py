from __future__ import annotations

import pytest

from liven.runtime.objects.ui_endpoint import NothingToShowError, OpenInterface
from liven.runtime.testing import Bench
from liven.types.declare import ExportedUI, proxy


@proxy(id="D6B2A9C03F5C4C58A8F1F27C1F4D9E01", view="some.where.view:make")
class Picture:
    UI: ExportedUI


@proxy(id="D6B2A9C03F5C4C58A8F1F27C1F4D9E02", view="some.where.view:make")
class Otherwise:
    look: ExportedUI


@proxy(id="D6B2A9C03F5C4C58A8F1F27C1F4D9E03")
class Viewless:
    UI: ExportedUI


@proxy(id="D6B2A9C03F5C4C58A8F1F27C1F4D9E04")
class Service:
    pass


@pytest.mark.parametrize("kind", [Picture, Otherwise])
def test_an_object_hands_over_where_its_view_is_and_itself(kind: type) -> None:
    with Bench() as bench:
        built = bench.build(kind)
        showing = OpenInterface.of(bench.node, built.handle, lambda: None)
        assert showing.shown.view == "some.where.view:make"
        assert showing.shown.model is built.instance
        showing.close()


def test_who_shows_it_is_told_when_it_ends_and_not_when_it_lets_go() -> None:
    with Bench() as bench:
        told: list[str] = []
        first, second = bench.build(Picture), bench.build(Picture)
        showing = OpenInterface.of(bench.node, first.handle, lambda: told.append("first"))
        other = OpenInterface.of(bench.node, second.handle, lambda: told.append("second"))
        first.close()
        other.close()
        assert told == ["first"]
        showing.close()


def test_an_interface_is_shown_in_one_place_at_a_time_and_can_move() -> None:
    with Bench() as bench:
        built = bench.build(Picture)
        OpenInterface.of(bench.node, built.handle, lambda: None).close()
        OpenInterface.of(bench.node, built.handle, lambda: None).close()


@pytest.mark.parametrize(("kind", "why"), [(Viewless, "names none"), (Service, "no user interface")])
def test_what_cannot_be_shown_says_why(kind: type, why: str) -> None:
    with Bench() as bench:
        built = bench.build(kind)
        with pytest.raises(NothingToShowError, match=why):
            OpenInterface.of(bench.node, built.handle, lambda: None)

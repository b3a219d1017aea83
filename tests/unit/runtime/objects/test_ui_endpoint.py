from __future__ import annotations

import pytest

from liven.runtime.errors import AlreadyConnectedError
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
def test_an_open_interface_gives_the_name_of_the_view_and_the_object(kind: type) -> None:
    with Bench() as bench:
        built = bench.build(kind)
        showing = OpenInterface.of(bench.node, built.handle, lambda: None)
        assert showing.shown.view == "some.where.view:make"
        assert showing.shown.model is built.instance
        showing.close()


def test_gone_is_called_when_the_object_ends_but_not_when_the_interface_is_closed() -> None:
    with Bench() as bench:
        told: list[str] = []
        first, second = bench.build(Picture), bench.build(Picture)
        showing = OpenInterface.of(bench.node, first.handle, lambda: told.append("first"))
        other = OpenInterface.of(bench.node, second.handle, lambda: told.append("second"))
        first.close()
        other.close()
        assert told == ["first"]
        showing.close()


def test_an_interface_is_open_in_one_place_at_a_time_and_can_move() -> None:
    with Bench() as bench:
        built = bench.build(Picture)
        first = OpenInterface.of(bench.node, built.handle, lambda: None)
        with pytest.raises(AlreadyConnectedError):
            OpenInterface.of(bench.node, built.handle, lambda: None)
        assert first.shown.model is built.instance
        first.close()
        second = OpenInterface.of(bench.node, built.handle, lambda: None)
        assert second.shown.model is built.instance
        second.close()


@pytest.mark.parametrize(("kind", "why"), [(Viewless, "names none"), (Service, "no user interface")])
def test_an_object_without_a_view_is_refused_with_the_reason(kind: type, why: str) -> None:
    with Bench() as bench:
        built = bench.build(kind)
        with pytest.raises(NothingToShowError, match=why):
            OpenInterface.of(bench.node, built.handle, lambda: None)

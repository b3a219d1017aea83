from __future__ import annotations

from typing import Any, Protocol

import pytest

from liven.runtime.errors import UnfitValueError
from liven.runtime.objects.event_queue import Handler
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.value_bridge import ValueBridges
from liven.types.declare import interface, value
from liven.types.declare.annotation.shapes import InterfaceUse


@value
class Here:
    x: int
    tags: list[str]


@value
class There:
    tags: tuple[str, ...]
    x: int


@interface
class Mine(Protocol):
    def put(self, item: Here, times: int = 1) -> None: ...
    def get(self, n: int) -> Here: ...


@interface
class Yours(Protocol):
    def get(self, n: int) -> There: ...
    def put(self, item: There, times: int) -> None: ...


MINE, YOURS = InterfaceUse(Mine), InterfaceUse(Yours)


def handlers(**given: Any) -> Any:
    return lambda event: given.get(event, lambda *values: None)  # noqa: ARG005


def test_values_are_put_in_order_with_their_defaults() -> None:
    bridges = ValueBridges()
    here = Here(1, [])
    assert bridges.bound(MINE, "put", (here,), {}) == (here, 1)
    assert bridges.bound(MINE, "put", (), {"times": 2, "item": here}) == (here, 2)
    assert bridges.arity(MINE, "put") == 2
    assert bridges.arity(None, "put") is None


@pytest.mark.parametrize(
    ("args", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"colour": "red"}), ((1,), {"item": 2})]
)
def test_values_that_do_not_fit_the_declaration_are_refused(
    args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(UnfitValueError, match=r"Mine\.put"):
        ValueBridges().bound(MINE, "put", args, named)


def test_without_a_declaration_values_go_by_their_order_alone() -> None:
    assert ValueBridges().bound(None, "put", (1, 2), {}) == (1, 2)
    with pytest.raises(UnfitValueError, match="give its values in order"):
        ValueBridges().bound(None, "put", (1,), {"times": 2})


def test_an_event_is_converted_to_the_receiver_s_classes() -> None:
    seen: list[tuple[object, ...]] = []
    put = ValueBridges().cross(
        MINE, YOURS, "put", handlers(put=lambda item, times: seen.append((item, times)))
    )
    put(Here(1, ["a"]), 2)
    assert seen == [(There(("a",), 1), 2)]


def test_an_event_crosses_into_the_neutral_form_and_out_of_it() -> None:
    seen: list[object] = []
    bridges = ValueBridges()
    bridges.cross(MINE, None, "put", handlers(put=seen.append))(Here(1, ["a"]), 2)
    assert seen == [{"item": {"x": 1, "tags": ["a"]}, "times": 2}]
    take = bridges.cross(None, YOURS, "put", handlers(put=lambda item, times: seen.append((item, times))))
    take(seen[0])
    assert seen[1] == (There(("a",), 1), 2)


def test_an_unfitting_value_differs_from_an_unfitting_answer() -> None:
    bridges = ValueBridges()
    get = bridges.cross(MINE, YOURS, "get", handlers(get=lambda n: f"no There for {n}"))
    with pytest.raises(UnfitValueError, match=r"get\.n: expected int64, got text"):
        get("three")
    with pytest.raises(TypeError, match="get -> ") as answer:
        get(3)
    assert not isinstance(answer.value, UnfitValueError)


def test_an_answer_crosses_back_now_or_later() -> None:
    bridges = ValueBridges()
    later: Reply[There] = Reply()
    now = bridges.cross(MINE, YOURS, "get", handlers(get=lambda n: There((), n)))
    then = bridges.cross(MINE, YOURS, "get", handlers(get=lambda n: later))  # noqa: ARG005
    assert now(3) == Here(3, [])
    reply = then(4)
    assert isinstance(reply, Reply)
    later.resolve(There(("x",), 4))
    assert reply.value() == Here(4, ["x"])


def test_a_neutral_answer_is_converted_for_the_caller() -> None:
    bridges = ValueBridges()
    bridges.cross(MINE, None, "get", handlers())(1)
    seen: list[tuple[object, ...]] = []
    answer = bridges.answer(MINE, None, "get.reply", lambda *values: seen.append(values))
    answer(7, {"x": 1, "tags": []})
    answer(8, None, "not today")
    assert seen == [(7, Here(1, []), None), (8, None, "not today")]


def test_fronts_and_backs_are_made_once() -> None:
    bridges = ValueBridges()
    made = set()
    for _ in range(3):
        bridges.cross(MINE, YOURS, "put", handlers())
        bridges.cross(MINE, YOURS, "get", handlers())
        made.add(bridges.fronts.made)
    assert len(made) == 1


def test_only_the_handler_of_the_converted_event_is_looked_up() -> None:
    asked: list[str] = []

    def handler(event: str) -> Handler:
        asked.append(event)
        return lambda *values: None  # noqa: ARG005

    ValueBridges().cross(MINE, YOURS, "get", handler)
    assert asked == ["get"]

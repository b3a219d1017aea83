"""Values that a declaration does not allow, and the path in the error."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Protocol
from uuid import UUID

import pytest

from liven.types.declare import (
    EndpointRef,
    Exports,
    Float32,
    Int32,
    Range,
    Ref,
    interface,
    object_type,
    value,
)
from liven.types.declare.annotation.shapes import ClassShape, UnionShape
from liven.types.fronts import Fronts, ValueMismatchError
from liven.types.fronts.value_errors import locate


@value
class Colour(enum.Enum):
    RED = 1


@value
class Point:
    x: float
    y: Float32


@value
class Cat:
    lives: Annotated[int, Range(0, 9)]


@value
class Dog:
    name: str


@interface
class Go(Protocol):
    def go(self, where: Point, how: list[Cat | Dog], more: dict[str, bytes | None]) -> None: ...


@object_type
class Any_:  # noqa: N801  a name beside typing's
    pass


class Server:
    def go(self, where: Point, how: Any, more: Any) -> None:
        """Goes."""


@pytest.mark.parametrize(
    ("annotation", "good", "bad", "said"),
    [
        (str, "a", 3, "expected text, got 3"),
        (str, "", b"a", "expected text, got bytes"),
        (bytes, b"", bytearray(), "expected bytes, got bytearray"),
        (bool, True, 1, "expected bool, got 1"),
        (int, -(2**63), 2**63, "expected int64, got 9223372036854775808"),
        (int, 0, 2**200, "expected int64, got an integer of 201 bits"),
        (int, 1, True, "expected int64, got bool"),
        (int, 1, 1.0, "expected int64, got float64"),
        (Int32, 2**31 - 1, 2**31, "expected int32, got 2147483648"),
        (Annotated[int, Range(1, 6)], 6, 7, "expected int(1..6), got 7"),
        (float, 1.5, "1.5", "expected float64, got text"),
        (float, 2**53, 2**53 + 1, f"expected float64, got {2**53 + 1}"),
        (Float32, 1, None, "expected float32, got nothing"),
        (UUID, UUID(int=1), "1", "expected UUID, got text"),
        (str | None, None, 1, "expected text, got 1"),
        (list[int], [1], {1}, "expected list, got set"),
        (list[int], (1, 2), [1, "2"], "[1]: expected int64, got text"),
        (tuple[str, ...], (), ("a", None), "[1]: expected text, got nothing"),
        (dict[str, int], {"a": 1}, {"a": "b"}, "['a']: expected int64, got text"),
        (dict[str, int], {}, {1: 1}, "[1]: expected a text as a key, got 1"),
        (dict[str, int], {}, [], "expected map, got list"),
        (Colour, Colour.RED, "RED", "expected Colour, got text"),
        (Point, Point(1.0, 2.0), Cat(1), "expected Point, got Cat"),
        (Point, Point(1, 2), Point("a", 1.0), ".x: expected float64, got text"),  # type: ignore[arg-type]
        (Cat | Dog, Dog("a"), Point(1.0, 2.0), "expected Cat or Dog, got Point"),
        (Cat | Dog, Cat(1), Cat(10), ".lives: expected int(0..9), got 10"),
        (Ref[Any_], Ref("x"), "x", "expected Ref, got text"),
        (EndpointRef[Exports[Go]], EndpointRef("x"), Ref("x"), "expected EndpointRef, got Ref"),
        (list[list[Point]], [[]], [[Point(1.0, None)]], "[0][0].y: expected float32, got nothing"),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_a_mismatch_is_reported_with_its_path(annotation: Any, good: Any, bad: Any, said: str) -> None:
    conversion = Fronts().conversion(annotation)
    conversion.outward(good)
    with pytest.raises(ValueMismatchError) as caught:
        conversion.outward(bad)
    assert str(caught.value).endswith(said)


def test_an_event_names_the_parameter_and_the_path_in_it() -> None:
    front = Fronts().bridge(Go, Go, Server())
    with pytest.raises(ValueMismatchError, match=r"^go\.how\[1\]\.lives: expected int\(0\.\.9\), got 11$"):
        front.go(Point(1.0, 2.0), [Dog("a"), Cat(11)], {})
    with pytest.raises(ValueMismatchError, match=r"^go\.more\['k'\]: expected bytes, got text$"):
        front.go(Point(1.0, 2.0), [], {"k": "text"})
    with pytest.raises(ValueMismatchError, match=r"^go\.where: expected Point, got nothing$"):
        front.go(None, [], {})


def test_a_value_that_contains_itself_is_refused() -> None:
    @value
    class Chain:
        links: list[Chain]

    chain = Chain([])
    chain.links.append(chain)
    with pytest.raises(ValueMismatchError, match="nested too deep to be sent; it may contain itself"):
        Fronts().conversion(Chain).outward(chain)

    @interface
    class Hang(Protocol):
        def hang(self, chain: Chain) -> None: ...

    class Hook:
        def hang(self, chain: Chain) -> None:
            """Holds."""

    with pytest.raises(ValueMismatchError, match=r"^hang: a value is nested too deep"):
        Fronts().bridge(Hang, Hang, Hook()).hang(chain)


def test_nothing_is_sent_when_a_value_does_not_fit() -> None:
    sent: list[Any] = []
    front = Fronts().front(Go)(lambda _name: sent.append, lambda _name: lambda _given, _make: None)
    with pytest.raises(ValueMismatchError):
        front.go(Point(1.0, 2.0), [], {"k": 1})
    assert sent == []


def test_an_error_of_the_receiver_is_not_taken_for_one_of_the_sender() -> None:
    class Broken(Server):
        def go(self, where: Point, how: Any, more: Any) -> None:
            raise ValueMismatchError("deep inside")

    with pytest.raises(ValueMismatchError, match=r"^deep inside$"):
        Fronts().bridge(Go, Go, Broken()).go(Point(1.0, 2.0), [], {})


def test_two_classes_of_one_name_are_told_apart_by_their_modules() -> None:
    @value
    class Point:
        x: float

    mine = Point
    other = type("Point", (), {"__module__": "elsewhere"})()
    found = locate(ClassShape(mine), other)
    assert found == (("", "elsewhere.Point"), f"{__name__}.Point")
    assert locate(UnionShape((ClassShape(mine),)), other) == found
    assert locate(ClassShape(mine), 3) == (("", "3"), "Point")

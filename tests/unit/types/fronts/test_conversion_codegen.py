"""Neutral forms, one by one, in both directions."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import pytest

from liven.types.declare import EndpointRef, Exports, Float32, Range, Ref, interface, object_type, value
from liven.types.fronts import Fronts

T = TypeVar("T")


@value
class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


@value
class Point:
    x: float
    y: float


@value
class Tree:
    name: str
    kids: tuple[Tree, ...] = ()


@value
class Circle:
    radius: float


@value
class Box:
    corner: Point
    size: Size | None


@value
class Pair(Generic[T]):
    left: T
    right: list[T]


@value
@dataclass(frozen=True, slots=True)
class Slotted:
    a: int
    b: str = "b"


@value
class Derived(Point):
    z: float


@value
class Nothing:
    pass


@interface
class Go:
    def go(self) -> None:
        """Goes."""


@object_type
class Goer:
    door: Exports[Go]


ROWS: list[tuple[Any, Any, Any]] = [
    (bool, True, True),
    (int, -5, -5),
    (Annotated[int, Range(0, 9)], 9, 9),
    (float, 0.5, 0.5),
    (Float32, 0.25, 0.25),
    (str, "é€", "é€"),
    (bytes, b"\x00", b"\x00"),
    (UUID, UUID(int=258), bytes(14) + b"\x01\x02"),
    (int | None, None, None),
    (int | None, 3, 3),
    (list[int], [1, 2], [1, 2]),
    (list[int], [], []),
    (tuple[int, ...], (1, 2), [1, 2]),
    (list[list[bool]], [[True], []], [[True], []]),
    (tuple[tuple[int, ...], ...], ((1,), ()), [[1], []]),
    (dict[str, float], {"a": 1.0}, {"a": 1.0}),
    (dict[str, dict[str, int]], {"a": {"b": 1}}, {"a": {"b": 1}}),
    (list[str | None], ["a", None], ["a", None]),
    (Size, Size.LARGE, {"LARGE": {}}),
    (list[Size], [Size.SMALL], [{"SMALL": {}}]),
    (Point, Point(1.0, 2.0), {"x": 1.0, "y": 2.0}),
    (Derived, Derived(1.0, 2.0, 3.0), {"x": 1.0, "y": 2.0, "z": 3.0}),
    (Slotted, Slotted(1), {"a": 1, "b": "b"}),
    (Nothing, Nothing(), {}),
    (Box, Box(Point(0.0, 1.0), None), {"corner": {"x": 0.0, "y": 1.0}, "size": None}),
    (Box, Box(Point(0.0, 1.0), Size.SMALL), {"corner": {"x": 0.0, "y": 1.0}, "size": {"SMALL": {}}}),
    (
        Tree,
        Tree("a", (Tree("b"), Tree("c", (Tree("d"),)))),
        {
            "name": "a",
            "kids": [
                {"name": "b", "kids": []},
                {"name": "c", "kids": [{"name": "d", "kids": []}]},
            ],
        },
    ),
    (Circle | Box, Circle(2.0), {"Circle": {"radius": 2.0}}),
    (Circle | Box | None, None, None),
    (
        dict[str, Circle | Box],
        {"a": Circle(1.0), "b": Box(Point(0.0, 0.0), None)},
        {"a": {"Circle": {"radius": 1.0}}, "b": {"Box": {"corner": {"x": 0.0, "y": 0.0}, "size": None}}},
    ),
    (Pair[int], Pair(1, [2]), {"left": 1, "right": [2]}),
    (
        Pair[Point | None],
        Pair(None, [Point(0.0, 1.0), None]),
        {"left": None, "right": [{"x": 0.0, "y": 1.0}, None]},
    ),
    (Pair[Pair[str]], Pair(Pair("a", []), []), {"left": {"left": "a", "right": []}, "right": []}),
    (Ref[Goer], Ref("<Object/>"), "<Object/>"),
    (EndpointRef[Exports[Go]], EndpointRef("node:1"), "node:1"),
    (list[Ref[Goer] | None], [None, Ref("x")], [None, "x"]),
]


@pytest.fixture(scope="module")
def fronts() -> Fronts:
    """One set of fronts for all tests, so that generated code is reused."""
    return Fronts()


@pytest.mark.parametrize(("annotation", "local", "neutral"), ROWS, ids=lambda row: str(row)[:40])
def test_a_value_has_its_neutral_form(fronts: Fronts, annotation: Any, local: Any, neutral: Any) -> None:
    assert fronts.conversion(annotation).outward(local) == neutral


@pytest.mark.parametrize(("annotation", "local", "neutral"), ROWS, ids=lambda row: str(row)[:40])
def test_a_neutral_form_makes_the_value(fronts: Fronts, annotation: Any, local: Any, neutral: Any) -> None:
    made = fronts.conversion(annotation).inward(neutral)
    assert made == local
    assert type(made) is type(local)


def test_fields_are_stored_as_the_constructor_would(fronts: Fronts) -> None:
    made = fronts.conversion(Derived).inward({"x": 1, "y": 2, "z": 3, "more": 4})
    assert made == Derived(1.0, 2.0, 3.0)
    assert vars(made) == vars(Derived(1.0, 2.0, 3.0))
    assert hash(made) == hash(Derived(1.0, 2.0, 3.0))
    assert repr(made) == "Derived(x=1.0, y=2.0, z=3.0)"


def test_a_subclass_of_a_case_is_that_case(fronts: Fronts) -> None:
    class Round(Circle):
        pass

    assert fronts.conversion(Circle | Box).outward(Round(1.0)) == {"Circle": {"radius": 1.0}}


def test_a_case_that_nobody_declared_is_refused_on_the_way_in(fronts: Fronts) -> None:
    from liven.types.fronts.value_errors import Mismatch

    with pytest.raises(Mismatch):
        fronts.conversion(Circle | Box).inward({"Triangle": {}})


def test_deep_values_convert_up_to_the_codecs_limit(fronts: Fronts) -> None:
    tree = Tree("leaf")
    for depth in range(100):
        tree = Tree(str(depth), (tree,))
    conversion = fronts.conversion(Tree)
    assert conversion.inward(conversion.outward(tree)) == tree

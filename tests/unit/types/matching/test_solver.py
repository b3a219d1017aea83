from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from liven.types.explanation import Explanation
from liven.types.matching.explanation_tree import build_tree
from liven.types.matching.goals import Goal, Missing, Relation
from liven.types.matching.solver import Solver, TooLargeError
from liven.types.matching.value_relation import ValueRelation
from liven.types.terms.value_types import (
    INT32,
    INT64,
    TEXT,
    ListOf,
    Loop,
    Recursive,
    ValueType,
    optional,
    record,
)


class Rests(Relation):
    """A relation on names, given by a table of the names that each rests on; an unlisted name is refused."""

    def __init__(self, table: dict[str, list[str]]) -> None:
        self.table = table
        self.asked: list[str] = []

    def parts(self, left: Any, right: Any, /) -> Sequence[Goal] | None:
        self.asked.append(left)
        held = self.table.get(left)
        return None if held is None else [(self, name, "", name) for name in held]

    def claim(self, left: Any, right: Any, holds: bool, /) -> str:
        return f"{left} {'holds' if holds else 'fails'}"

    def grounds(self, left: Any, right: Any, /) -> tuple[Explanation, ...]:
        return (Explanation(True, "by decree"),) if left == "ground" else ()


@pytest.fixture
def values() -> ValueRelation:
    return ValueRelation()


@pytest.fixture
def solver(values: ValueRelation) -> Solver:
    return Solver(values, 1000)


def chain(number: ValueType, name: str) -> Recursive:
    return Recursive(name, record(head=number, tail=optional(Loop(name))))


def test_a_goal_holds_when_all_it_rests_on_holds(solver: Solver) -> None:
    assert solver.holds((Rests({"a": ["b", "c"], "b": [], "c": ["b"]}), "a", "", ""))
    assert not solver.holds((Rests({"a": ["b", "c"], "b": []}), "a", "", ""))


def test_deciding_stops_at_the_first_refusal(solver: Solver) -> None:
    relation = Rests({"a": ["deep", "no"], "deep": ["deeper"], "deeper": []})
    assert not solver.holds((relation, "a", "", ""))
    assert relation.asked == ["a", "no"]


def test_a_pair_of_values_met_again_counts_as_fitting(solver: Solver, values: ValueRelation) -> None:
    assert solver.holds((values, chain(INT32, "T"), chain(INT64, "U"), ""))
    assert not solver.holds((values, chain(INT64, "T"), chain(INT32, "U"), ""))


def test_pairs_visited_before_a_refusal_are_not_remembered(solver: Solver, values: ValueRelation) -> None:
    """An assumption made inside a failed decision must not outlive it."""
    narrow, wide = chain(INT64, "T"), chain(INT32, "U")
    assert not solver.holds((values, record(c=narrow), record(c=wide), ""))
    assert not solver.holds((values, narrow, wide, ""))


def test_the_number_of_goals_is_bounded(values: ValueRelation) -> None:
    small = Solver(values, 10)
    numbers = {str(number): [str(number + 1)] for number in range(50)}
    with pytest.raises(TooLargeError, match="more than 10 parts"):
        small.holds((Rests(numbers), "0", "", ""))


def test_memory_is_bounded(values: ValueRelation) -> None:
    small = Solver(values, 20)
    for _ in range(30):
        assert small.holds((values, ListOf(record(x=INT32)), ListOf(record(x=INT64)), ""))
        assert len(small._fitting) <= 20
    assert not small.holds((values, ListOf(TEXT), ListOf(INT64), ""))


TABLE = {"a": ["b", "c"], "b": [], "c": ["d", "no"], "d": ["ground"], "ground": []}


def test_the_tree_shows_everything_a_goal_rests_on() -> None:
    tree = build_tree((Rests(TABLE), "a", "", ""), False)
    assert tree.render(full=True).splitlines() == [
        "✗ a fails",
        "  ✓ b: b holds",
        "  ✗ c: c fails",
        "    ✓ d: d holds",
        "      ✓ ground: ground holds",
        "        ✓ by decree",
        "    ✗ no: no fails",
    ]


def test_a_recurring_goal_is_one_line_that_points_upward() -> None:
    tree = build_tree((Rests({"a": ["b"], "b": ["a"]}), "a", "", ""), True)
    assert tree.render(full=True).splitlines() == [
        "✓ a holds",
        "  ✓ b: b holds",
        "    ✓ a: a holds, as shown above",
    ]


def test_a_recurring_failure_refers_to_the_line_above() -> None:
    tree = build_tree((Rests({"a": ["b"], "b": ["a", "no"]}), "a", "", ""), False)
    assert not tree.holds
    assert [path for path, _ in tree.failures()][-1] == ("b", "no")


def test_the_tree_is_linear_in_shared_parts() -> None:
    doubled = {str(number): [str(number + 1)] * 2 for number in range(40)} | {"40": []}
    tree = build_tree((Rests(doubled), "0", "", ""), True)
    assert len(tree.render(full=True).splitlines()) < 200


def test_a_tree_too_large_to_show_keeps_the_answer() -> None:
    broad: dict[str, list[str]] = {"a": ["no", *(str(number) for number in range(30_000))]}
    broad |= {str(number): [] for number in range(30_000)}
    tree = build_tree((Rests(broad), "a", "", ""), False)
    assert not tree
    assert "too many reasons to show" in tree.claim


def test_a_missing_part_never_holds() -> None:
    absent = Missing(lambda left, right: f"{left} lacks {right}")
    tree = build_tree((absent, "a", "b", "part"), False)
    assert (tree.holds, tree.claim, tree.subject) == (False, "part: a lacks b", "part")

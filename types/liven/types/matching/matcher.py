"""The matcher decides every question of "does it fit?", for the runtime and for the designer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from liven.types.explanation import Deferred, Explanation
from liven.types.formalism.registry import Formalisms
from liven.types.matching.constraint_relation import Implications
from liven.types.matching.endpoint_relation import EndpointRelation, MatchRelation, ObjectRelation
from liven.types.matching.explanation_tree import build_tree
from liven.types.matching.goals import Goal, Relation
from liven.types.matching.solver import Solver, TooLargeError
from liven.types.matching.value_relation import ValueRelation
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.template import Template
from liven.types.terms.type_text import Entity, brief
from liven.types.terms.value_types import ValueType

_Name: TypeAlias = Literal["matches", "endpoints", "objects", "values"]
_Question: TypeAlias = tuple[_Name, int, int]


class Matcher:
    """Decides the relations between types, and remembers a bounded number of answers.

    An answer is an Explanation; its tree is made when it is first read. Answers are remembered by the
    identity of both types, and dropped when a formalism is registered.
    """

    def __init__(
        self, formalisms: Formalisms, *, most_answers: int = 4096, most_parts: int = 200_000
    ) -> None:
        self._formalisms = formalisms
        self._most_answers = most_answers
        self._most_parts = most_parts
        self._answers: dict[_Question, tuple[Explanation, object, object]] = {}
        self._begin()

    def _begin(self) -> None:
        """Make relations over the formalisms known now; trees of answers given before keep the old ones."""
        self._generation = self._formalisms.generation
        implications = Implications(Formalisms(self._formalisms))
        values = ValueRelation()
        values.endpoints = EndpointRelation(values, implications)
        values.objects = ObjectRelation(values.endpoints, implications)
        self._relations: Mapping[_Name, Relation] = {
            "matches": MatchRelation(values, implications),
            "endpoints": values.endpoints,
            "objects": values.objects,
            "values": values,
        }
        self._solver = Solver(values, self._most_parts)

    def matches(self, first: EndpointType, second: EndpointType) -> Explanation:
        """∝: true if the two endpoints may be connected."""
        return self._ask("matches", first, second)

    def endpoint_subtype(self, actual: EndpointType, expected: EndpointType) -> Explanation:
        """⊑: true if `actual` matches everything that `expected` matches."""
        return self._ask("endpoints", actual, expected)

    def object_subtype(self, actual: ObjectType, expected: ObjectType) -> Explanation:
        """⊑: true if an object of type `actual` can be used where `expected` is needed."""
        return self._ask("objects", actual, expected)

    def value_subtype(self, actual: ValueType, expected: ValueType) -> Explanation:
        """⊑: true if every value of `actual` can be used where `expected` is needed."""
        return self._ask("values", actual, expected)

    def cast(self, actual: ObjectType, target: ObjectType) -> Explanation:
        """True if a reference to an object of type `actual` may be cast to `ref<target>`."""
        return self._ask("objects", actual, target)

    def subtype(self, actual: Entity | Template, expected: Entity | Template) -> Explanation:
        """⊑ on two types of one kind; types of two kinds never compare, nor does a template with an open
        parameter."""
        for side in (actual, expected):
            if isinstance(side, Template) and side.open:
                return Explanation(False, f"{side} cannot be compared: {side.open_names()}", left=str(side))
        actual = actual.entity() if isinstance(actual, Template) else actual
        expected = expected.entity() if isinstance(expected, Template) else expected
        return self._subtype(actual, expected)

    def _subtype(self, actual: Entity, expected: Entity) -> Explanation:
        if isinstance(actual, ObjectType) and isinstance(expected, ObjectType):
            return self.object_subtype(actual, expected)
        if isinstance(actual, EndpointType) and isinstance(expected, EndpointType):
            return self.endpoint_subtype(actual, expected)
        if isinstance(actual, _STRUCTURES) or isinstance(expected, _STRUCTURES):
            return Explanation(
                False,
                f"{brief(actual)} is {_kind(actual)}, {brief(expected)} is {_kind(expected)}",
                left=brief(actual),
                right=brief(expected),
            )
        return self.value_subtype(actual, expected)

    def same(self, first: Entity | Template, second: Entity | Template) -> Explanation:
        """True if two declarations are one distributed type: each is a subtype of the other."""
        reasons = (self.subtype(first, second), self.subtype(second, first))
        holds = all(reasons)
        said = "are one type" if holds else "are not one type"
        left, right = (str(side) if isinstance(side, Template) else brief(side) for side in (first, second))
        return Explanation(holds, f"{left} and {right} {said}", reasons, left=left, right=right)

    def _ask(self, name: _Name, left: object, right: object) -> Explanation:
        if self._generation != self._formalisms.generation:
            self._answers.clear()
            self._begin()
        key = (name, id(left), id(right))
        known = self._answers.get(key)
        if known is not None:
            return known[0]
        return self._remember(key, self._decide((self._relations[name], left, right, "")))

    def _decide(self, goal: Goal) -> tuple[Explanation, object, object]:
        relation, left, right, _ = goal
        try:
            holds = self._solver.holds(goal)
            answer: Explanation = Deferred(holds, lambda: build_tree(goal, holds))
        except TooLargeError as problem:
            answer = Explanation(False, f"{relation.claim(left, right, False)}: not decided, {problem}")
        return answer, left, right

    def _remember(self, key: _Question, entry: tuple[Explanation, object, object]) -> Explanation:
        if len(self._answers) >= self._most_answers:
            self._answers.clear()
        self._answers[key] = entry
        return entry[0]


_STRUCTURES = (EndpointType, ObjectType)


def _kind(term: Entity) -> str:
    if isinstance(term, ObjectType):
        return "an object type"
    return "an endpoint type" if isinstance(term, EndpointType) else "a value type"

"""The matcher: every question of "does it fit?" is asked here, by the runtime and by the designer alike."""

from __future__ import annotations

from liven.types.explain import Deferred, Explanation
from liven.types.formalism.registry import Formalisms
from liven.types.matching.constraint_relation import Implications
from liven.types.matching.endpoint_relation import EndpointRelation, MatchRelation, ObjectRelation
from liven.types.matching.goals import Goal, Relation
from liven.types.matching.growing import grow
from liven.types.matching.solver import Solver, TooLargeError
from liven.types.matching.value_relation import ValueRelation
from liven.types.printing import Entity, brief
from liven.types.structure import EndpointType, ObjectType
from liven.types.template import Template
from liven.types.values import ValueType


class Matcher:
    """Decides the relations over types and remembers answers, within bounds.

    An answer is an Explanation; its tree is grown when first looked at. Answers are remembered by the
    identity of both types, and dropped when a formalism is registered.
    """

    def __init__(
        self, formalisms: Formalisms, *, most_answers: int = 4096, most_parts: int = 200_000
    ) -> None:
        self._formalisms = formalisms
        self._generation = formalisms.generation
        self._implications = Implications(formalisms)
        self._values = ValueRelation()
        self._match = MatchRelation(self._values, self._implications)
        self._endpoints = EndpointRelation(self._values, self._implications)
        self._objects = ObjectRelation(self._endpoints, self._implications)
        self._values.endpoints, self._values.objects = self._endpoints, self._objects
        self._solver = Solver(self._values, most_parts)
        self._most_answers = most_answers
        self._answers: dict[tuple[Relation, int, int], tuple[Explanation, object, object]] = {}

    def matches(self, first: EndpointType, second: EndpointType) -> Explanation:
        """∝: whether the two endpoints may be connected."""
        return self._ask(self._match, first, second)

    def endpoint_subtype(self, actual: EndpointType, expected: EndpointType) -> Explanation:
        """⊑: whether `actual` matches everything that `expected` matches."""
        return self._ask(self._endpoints, actual, expected)

    def object_subtype(self, actual: ObjectType, expected: ObjectType) -> Explanation:
        """⊑: whether an object of type `actual` may stand where `expected` is asked for."""
        return self._ask(self._objects, actual, expected)

    def value_subtype(self, actual: ValueType, expected: ValueType) -> Explanation:
        """⊑: whether every value of `actual` may stand where `expected` is asked for."""
        return self._ask(self._values, actual, expected)

    def cast(self, actual: ObjectType, target: ObjectType) -> Explanation:
        """Whether a reference to an object whose own type is `actual` may be cast to `ref<target>`."""
        return self._ask(self._objects, actual, target)

    def subtype(self, actual: Entity | Template, expected: Entity | Template) -> Explanation:
        """⊑ on two types of one kind; two kinds never compare, nor does a template with an open parameter."""
        for side in (actual, expected):
            if isinstance(side, Template) and side.open:
                return Explanation(False, f"{side} cannot be compared: {side.said_open()}", left=str(side))
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
        """Whether two declarations are one distributed type: each is a subtype of the other."""
        reasons = (self.subtype(first, second), self.subtype(second, first))
        holds = all(reasons)
        said = "are one type" if holds else "are not one type"
        left, right = (str(side) if isinstance(side, Template) else brief(side) for side in (first, second))
        return Explanation(holds, f"{left} and {right} {said}", reasons, left=left, right=right)

    def _ask(self, relation: Relation, left: object, right: object) -> Explanation:
        if self._generation != self._formalisms.generation:
            self._forget()
        key = (relation, id(left), id(right))
        known = self._answers.get(key)
        return (
            known[0] if known is not None else self._remember(key, self._decide((relation, left, right, "")))
        )

    def _decide(self, goal: Goal) -> tuple[Explanation, object, object]:
        relation, left, right, _ = goal
        try:
            holds = self._solver.holds(goal)
            answer: Explanation = Deferred(holds, lambda: grow(goal, holds))
        except TooLargeError as problem:
            answer = Explanation(False, f"{relation.claim(left, right, False)}: not decided, {problem}")
        return answer, left, right

    def _remember(
        self, key: tuple[Relation, int, int], entry: tuple[Explanation, object, object]
    ) -> Explanation:
        if len(self._answers) >= self._most_answers:
            self._answers.clear()
        self._answers[key] = entry
        return entry[0]

    def _forget(self) -> None:
        self._generation = self._formalisms.generation
        self._answers.clear()
        self._implications.forget()
        self._solver.forget()


_STRUCTURES = (EndpointType, ObjectType)


def _kind(term: Entity) -> str:
    if isinstance(term, ObjectType):
        return "an object type"
    return "an endpoint type" if isinstance(term, EndpointType) else "a value type"

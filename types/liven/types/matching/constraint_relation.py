"""The relation C ⇒* C' on constraints: the promises of one side cover the demands of the other.

Several constraints of one formalism are their conjunction. A promise also counts in every formalism that
its own one extends (`translate`, on the promising side only). A demand that is true of everything is
dropped, so it does not demand the formalism. Across a connection the demand is mirrored first, because
each side writes `in` and `out` from its own point of view.

⇒* is a preorder, and a subtype matches whatever its supertype matches, because every formalism keeps these
laws: `implies` is a preorder, and `conjoin`, `mirror` and `translate` respect it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Formalism, FormulaError
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching.goals import Goal, Relation
from liven.types.terms.endpoint_types import Constraint
from liven.types.terms.type_text import spell_words

Constraints: TypeAlias = tuple[Constraint, ...]

_MOST_CONSEQUENCES = 200
_MOST_REMEMBERED = 4096


class Implications:
    """Implications in each formalism, remembered, since some formalisms take long to decide."""

    def __init__(self, formalisms: Formalisms) -> None:
        self.formalisms = formalisms
        self._known: dict[tuple[ClassId, bool, Constraints, Constraints], Explanation] = {}

    def decide(
        self, provided: Constraints, required: Constraints, *, across: bool
    ) -> tuple[Explanation, ...]:
        """Return one answer for each formalism in which something is demanded."""
        demands: dict[ClassId, list[Constraint]] = {}
        for constraint in required:
            demands.setdefault(constraint.formalism, []).append(constraint)
        return tuple(
            self._one(language, provided, tuple(wanted), across) for language, wanted in demands.items()
        )

    def _one(
        self, language: ClassId, provided: Constraints, wanted: Constraints, across: bool
    ) -> Explanation:
        key = (language, across, provided, wanted)
        answer = self._known.get(key)
        if answer is None:
            answer = self._think(language, provided, wanted, across)
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = answer
        return answer

    def _think(
        self, language: ClassId, provided: Constraints, wanted: Constraints, across: bool
    ) -> Explanation:
        formalism = self.formalisms.find(language)
        if formalism is None:
            return _unknown(language, provided, wanted, across)
        try:
            return _implies(formalism, self._promises(formalism, provided), wanted, across, provided)
        except FormulaError as problem:
            return _answer(False, formalism.name, f"cannot be decided: {problem}", provided, wanted)

    def _promises(self, formalism: Formalism[Any], provided: Constraints) -> list[Hashable]:
        """Return the promises in this formalism, stated in it or translated from others."""
        told: dict[ClassId, dict[Hashable, None]] = {}
        for held in provided:
            told.setdefault(held.formalism, {})[held.predicate] = None
        todo = deque(told)
        while todo:
            language = todo.popleft()
            for target, predicate in self._consequences(language, list(told[language])):
                known = told.setdefault(target, {})
                if predicate not in known:
                    known[predicate] = None
                    todo.append(target)
            if sum(map(len, told.values())) > _MOST_CONSEQUENCES:
                raise FormulaError(f"the promises have more than {_MOST_CONSEQUENCES} consequences")
        return [predicate for predicate in told.get(formalism.id, ()) if not formalism.trivial(predicate)]

    def _consequences(
        self, language: ClassId, predicates: list[Hashable]
    ) -> tuple[tuple[ClassId, Hashable], ...]:
        """Return the translations of all predicates together: jointly they may imply more than one by
        one."""
        origin = self.formalisms.find(language)
        if origin is None:
            return ()
        try:
            return tuple(
                origin.translate(predicates[0] if len(predicates) == 1 else origin.conjoin(predicates))
            )
        except FormulaError:
            return ()  # too large to translate: no promise in other formalisms


class ConstraintRelation(Relation):
    """The relation that holds if, in every formalism, the left side's promises imply the right side's
    demands."""

    __slots__ = ("_across", "_fails", "_holds", "_implications")

    def __init__(self, implications: Implications, *, across: bool, holds: str, fails: str) -> None:
        self._implications = implications
        self._across = across
        self._holds = holds
        self._fails = fails

    def parts(self, left: Constraints, right: Constraints, /) -> Sequence[Goal] | None:
        return () if not right or all(self.grounds(left, right)) else None

    def claim(self, _left: Constraints, _right: Constraints, holds: bool, /) -> str:
        return self._holds if holds else self._fails

    def grounds(self, left: Constraints, right: Constraints, /) -> tuple[Explanation, ...]:
        return self._implications.decide(left, right, across=self._across)


def _implies(
    formalism: Formalism[Any],
    promised: list[Hashable],
    wanted: Constraints,
    across: bool,
    provided: Constraints,
) -> Explanation:
    seen = [formalism.mirror(held.predicate) if across else held.predicate for held in wanted]
    demanded = [predicate for predicate in seen if not formalism.trivial(predicate)]
    # In every formalism a conjunction implies each of its parts, so there is no need to ask it.
    new = [predicate for predicate in demanded if predicate not in promised]
    words = " and ".join(f"`{spell_words(held.text)}`" for held in wanted)
    if not demanded:
        return _answer(True, formalism.name, f"{words} demands nothing", provided, wanted)
    if not new:
        return _answer(True, formalism.name, f"{words} is promised", provided, wanted)
    if not promised:
        return _answer(False, formalism.name, f"{words} is required, nothing is promised", (), wanted)
    inner = formalism.implies(formalism.conjoin(promised), formalism.conjoin(new))
    said = "follows from what is promised" if inner else "does not follow from what is promised"
    return _answer(inner.holds, formalism.name, f"{words} {said}", provided, wanted, inner)


def _unknown(language: ClassId, provided: Constraints, wanted: Constraints, across: bool) -> Explanation:
    """Decide a formalism that is not registered here: only the very same promise covers a demand."""
    covered = not across and set(wanted) <= set(provided)
    said = "each demand is promised word for word" if covered else "register the library that brings it"
    return _answer(covered, str(language), f"is not known here; {said}", provided, wanted)


def _answer(
    holds: bool, name: str, said: str, provided: Constraints, wanted: Constraints, *inner: Explanation
) -> Explanation:
    left, right = ("; ".join(held.text for held in side) for side in (provided, wanted))
    return Explanation(holds, f"{name}: {said}", inner, subject=name, left=left, right=right)

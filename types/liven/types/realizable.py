"""Realizable promises: those that the owner of an endpoint or object can keep by itself."""

from __future__ import annotations

from collections.abc import Sequence

from liven.types.connection_monitor import KnownFormalisms
from liven.types.explanation import Explanation
from liven.types.formalism.plugin import JudgesRealizability
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint


def realizable(
    provided: Sequence[Constraint], required: Sequence[Constraint], formalisms: KnownFormalisms
) -> Explanation:
    """True if only the owner's own actions can break a promise while its demands are met.

    If not, a reason shows the shortest trace on which a promise breaks through no fault of its owner, or
    the demand that nobody can meet. Formalisms that cannot be observed on a trace, and unknown ones, are
    not judged.
    """
    judged = []
    for language in dict.fromkeys(constraint.formalism for constraint in (*provided, *required)):
        formalism = formalisms.find(language)
        if formalism is None or not isinstance(formalism, JudgesRealizability):
            continue
        promise, demand = (
            formalism.conjoin([constraint.predicate for constraint in side])
            for side in (_in(language, provided), _in(language, required))
        )
        judged.append(formalism.realizable(promise, demand))
    holds = all(judged)
    claim = "what is promised can be kept" if holds else "something promised or required here cannot be kept"
    return Explanation(holds, claim, tuple(judged))


def _in(language: ClassId, constraints: Sequence[Constraint]) -> list[Constraint]:
    return [constraint for constraint in constraints if constraint.formalism == language]

"""Reads the constraints that an author wrote into predicates that formalisms can compare."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import Any

from liven.types.declare.annotation.markers import Clause
from liven.types.declare.errors import DeclarationError
from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Formalism, FormulaError, JudgesRealizability, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class ClauseReader:
    """Reads constraints with the given formalisms."""

    formalisms: Formalisms

    def on_endpoint(self, where: str, plain: EndpointType, clauses: tuple[Clause, ...]) -> EndpointType:
        """Return the endpoint type with these constraints; refuse a promise that its owner cannot keep."""
        if not clauses:
            return plain
        provides, requires = self.sides(where, clauses, vocabulary_of(plain))
        return replace(plain, provides=provides, requires=requires)

    def on_object(self, where: str, plain: ObjectType, clauses: tuple[Clause, ...]) -> ObjectType:
        """Return the object type with these constraints."""
        if not clauses:
            return plain
        endpoints = tuple((name, vocabulary_of(endpoint)) for name, endpoint in plain.endpoints)
        provides, requires = self.sides(where, clauses, Vocabulary(endpoints=endpoints))
        return replace(plain, provides=provides, requires=requires)

    def sides(
        self, where: str, clauses: tuple[Clause, ...], vocabulary: Vocabulary
    ) -> tuple[tuple[Constraint, ...], tuple[Constraint, ...]]:
        """Return the promises and the demands, each read by its formalism."""
        read = [(clause.side, self._read(where, clause, vocabulary)) for clause in clauses]
        for clause, (_, one) in zip(clauses, read, strict=True):
            if clause.side == "requires" and one is not None:
                self._demand_possible(where, clause, one, vocabulary)
        provides = tuple(one for side, one in read if side == "provides" and one is not None)
        requires = tuple(one for side, one in read if side == "requires" and one is not None)
        for formalism in dict.fromkeys(one.formalism for one in provides):
            self._demand_keepable(where, self.formalisms.get(formalism), provides, requires)
        return provides, requires

    def _demand_possible(
        self, where: str, clause: Clause, required: Constraint, vocabulary: Vocabulary
    ) -> None:
        """Refuse a demand that nothing can meet: it would make every promise one that can be kept."""
        formalism = self.formalisms.get(required.formalism)
        if not isinstance(formalism, JudgesRealizability):
            return
        try:
            nothing = formalism.parse("false", vocabulary)
        except FormulaError:
            return  # a language that cannot say it
        if formalism.implies(required.predicate, nothing):
            event = clause.text.strip() in vocabulary.inputs | vocabulary.outputs
            raise DeclarationError(
                f"{where} requires {clause.formalism} `{clause.text}`",
                "no connection can meet it",
                f"did you mean `at least one {clause.text.strip()}`?"
                if event
                else "require something that can happen",
            )

    def _demand_keepable(
        self,
        where: str,
        formalism: Formalism[Any],
        provides: tuple[Constraint, ...],
        requires: tuple[Constraint, ...],
    ) -> None:
        if not isinstance(formalism, JudgesRealizability):
            return
        promised, demanded = (
            formalism.conjoin([one.predicate for one in side if one.formalism == formalism.id])
            for side in (provides, requires)
        )
        answer = formalism.realizable(promised, demanded)
        if not answer:
            raise DeclarationError(f"{where} provides {formalism.name}", answer.render(), _advice(answer))

    def _read(self, where: str, clause: Clause, vocabulary: Vocabulary) -> Constraint | None:
        formalism = self._formalism(where, clause)
        try:
            predicate = formalism.parse(clause.text, vocabulary)
        except FormulaError as problem:
            raise DeclarationError(
                f"{where} {clause.side} {clause.formalism} `{clause.text}`",
                str(problem),
                "correct the formula",
            ) from problem
        if formalism.trivial(predicate):
            return None
        return Constraint(formalism.id, predicate, clause.text)

    def _formalism(self, where: str, clause: Clause) -> Formalism[Any]:
        by_name: dict[str, Formalism[Any]] = {}
        for formalism in self.formalisms:
            by_name.setdefault(formalism.name, formalism)  # the original has one name for two ids
        if clause.formalism in by_name:
            return by_name[clause.formalism]
        near = difflib.get_close_matches(clause.formalism, by_name, 1)
        fix = f"write {near[0]}" if near else f"write one of {', '.join(sorted(by_name))}"
        raise DeclarationError(where, f"no formalism is called {clause.formalism!r}", fix)


def vocabulary_of(endpoint: EndpointType) -> Vocabulary:
    """Return the names that a formula on this endpoint may use."""
    return Vocabulary(
        frozenset(name for name, _ in endpoint.inputs), frozenset(name for name, _ in endpoint.outputs)
    )


def _advice(answer: Explanation) -> str:
    words = answer.render()
    if "not decided" in words:
        return "promise less at once: fewer constraints, or smaller numbers in them"
    if "nobody can meet" in words:
        return "require something that the other side can do"
    return "promise less, or require that the other side prevents it"

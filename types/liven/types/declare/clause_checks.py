"""Checks of constraints when a class is declared, so that a mistake is reported at import.

Only built-in formalisms are known at that time. Constraints in others, and those on an interface that is a
parameter, are read when the term is made.
"""

from __future__ import annotations

from functools import cache

from liven.types.declare.annotation.markers import Clause
from liven.types.declare.annotation.reader import ATTACHED, declaration_of
from liven.types.declare.annotation.shapes import EndpointUse, GivenUse, InterfaceUse, ParameterUse
from liven.types.declare.constraints import ClauseReader
from liven.types.declare.declaration import InterfaceDeclaration, NamedEndpoint, ObjectDeclaration
from liven.types.declare.decorate import attach, names_later
from liven.types.declare.errors import DeclarationError
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.terms.interfaces import REPLY


def attach_object(declaration: ObjectDeclaration) -> None:
    """Attach the declaration, and check its constraints unless they name a class that is defined later."""
    attach(declaration)
    try:
        check_clauses(declaration)
    except DeclarationError as problem:
        if not names_later(problem):
            delattr(declaration.cls, ATTACHED)
            raise


def check_clauses(declaration: ObjectDeclaration) -> None:
    """Raise DeclarationError for a constraint that cannot be read, or a promise that cannot be kept."""
    known = {formalism.name for formalism in _builtin()}
    reader = ClauseReader(_builtin())
    endpoints = declaration.endpoints(declaration.open())
    words = {endpoint.name: _vocabulary(endpoint) for endpoint in endpoints}
    for endpoint in endpoints:
        vocabulary = words[endpoint.name]
        if vocabulary is not None:
            where = f"{declaration.name}.{endpoint.name}"
            reader.sides(where, _known(endpoint.clauses, known), vocabulary)
    if all(vocabulary is not None for vocabulary in words.values()):
        together = tuple((name, vocabulary) for name, vocabulary in words.items() if vocabulary is not None)
        reader.sides(
            declaration.name, _known(declaration.all_clauses(), known), Vocabulary(endpoints=together)
        )


@cache
def _builtin() -> Formalisms:
    """Return the built-in formalisms; a cache to which nothing is added, not a registry."""
    return Formalisms(builtin_formalisms())


def _known(clauses: tuple[Clause, ...], names: set[str]) -> tuple[Clause, ...]:
    return tuple(clause for clause in clauses if clause.formalism in names)


def _vocabulary(endpoint: NamedEndpoint) -> Vocabulary | None:
    if not isinstance(endpoint.use, EndpointUse):
        return None
    exported, imported = _names(endpoint.use.exported), _names(endpoint.use.imported)
    if exported is None or imported is None:
        return None
    (asked, answers), (called, awaited) = exported, imported
    return Vocabulary(asked | awaited, called | answers)


def _names(
    side: InterfaceUse | ParameterUse | GivenUse | None,
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the names of an interface's events and of their replies; None if the interface is not known
    yet."""
    if side is None:
        return frozenset(), frozenset()
    if not isinstance(side, InterfaceUse):
        return None
    declaration: InterfaceDeclaration = declaration_of(side.cls)
    methods = declaration.methods(side.arguments)
    answers = frozenset(method.name + REPLY for method in methods if method.result is not None)
    return frozenset(method.name for method in methods), answers

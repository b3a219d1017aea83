"""Checks that the events of one declaration can be passed to another, once, before anything is bridged.

Wrappers convert and do not compare, so they rely on this check: no wider number is passed as a narrower
one, no field is missing, and every event has a handler. Constraints convert nothing and are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

from liven.types.declare.annotation.markers import Clause
from liven.types.declare.annotation.shapes import EndpointUse, InterfaceUse
from liven.types.declare.constraints import ClauseReader
from liven.types.declare.term_builder import TermBuilder
from liven.types.explanation import Explanation
from liven.types.formalism.registry import Formalisms
from liven.types.fronts.value_errors import ValueMismatchError
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class _Unread(ClauseReader):
    """A reader that drops constraints: the authors' formalisms are not known here, and none changes a
    value."""

    def on_endpoint(self, _where: str, plain: EndpointType, _clauses: tuple[Clause, ...]) -> EndpointType:
        return plain

    def on_object(self, _where: str, plain: ObjectType, _clauses: tuple[Clause, ...]) -> ObjectType:
        return plain


class Compatibility:
    """The pairs of interfaces known to be compatible; bounded."""

    def __init__(self, *, most: int = 4096) -> None:
        formalisms = Formalisms()
        self._terms = TermBuilder(formalisms, _Unread(formalisms))
        self._matcher = Matcher(formalisms)
        self._most = most
        self._fitting: set[tuple[InterfaceUse, InterfaceUse]] = set()

    def demand(self, caller: InterfaceUse, server: InterfaceUse) -> None:
        """Raise ValueMismatchError unless an object that serves `server` can be called through `caller`."""
        pair = (caller, server)
        if caller == server or pair in self._fitting:
            return
        answer = self._answer(caller, server)
        if not answer:
            raise ValueMismatchError(
                f"{_named(server)} cannot serve the calls of {_named(caller)}\n{answer.render()}\n"
                "connect two interfaces that fit, or update the older one"
            )
        if len(self._fitting) >= self._most:
            self._fitting.clear()
        self._fitting.add(pair)

    def _answer(self, caller: InterfaceUse, server: InterfaceUse) -> Explanation:
        sending = self._terms.endpoint(EndpointUse(imported=caller))
        return self._matcher.matches(sending, self._terms.endpoint(EndpointUse(exported=server)))


def _named(use: InterfaceUse) -> str:
    return f"{use.cls.__module__}.{use.cls.__qualname__}"

"""The relations on event sets, endpoint types and object types: (2.1) to (2.6) of the model.

    E ⊑* E'    every event of E is an event of E', carrying a subtype
    τ1 ∝ τ2    O1 ⊑* I2,  O2 ⊑* I1,  C1 ⇒* C2',  C2 ⇒* C1'
    τ1 ⊑ τ2    O1 ⊑* O2,  I2 ⊑* I1,  C1 ⇒* C2,   C2' ⇒* C1'
    Θ1 ⊑ Θ2    every endpoint of Θ2 is one of Θ1, of a subtype;  C1 ⇒* C2,  C2' ⇒* C1'

A UI endpoint has no events: it matches the opposite of its kind, and is a subtype of its own kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from liven.types.matching.constraint_relation import ConstraintRelation, Implications
from liven.types.matching.goals import Goal, Missing, Relation
from liven.types.matching.value_relation import ValueRelation
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.type_text import brief


class EventsRelation(Relation):
    """`left ⊑* right` on sets of events, worded for the two sides of a connection or of a comparison."""

    __slots__ = ("_absent", "_fails", "_holds", "_values")

    def __init__(self, values: ValueRelation, *, holds: str, fails: str, absent: str) -> None:
        self._values = values
        self._holds = holds
        self._fails = fails
        self._absent = Missing(lambda _left, _right: absent)

    def parts(self, left: Events, right: Events, /) -> Sequence[Goal]:
        known = dict(right)
        values = self._values
        return [
            (values, held, known[name], name) if name in known else (self._absent, held, right, name)
            for name, held in left
        ]

    def claim(self, _left: Events, _right: Events, holds: bool, /) -> str:
        return self._holds if holds else self._fails


class MatchRelation(Relation):
    """`left ∝ right`: the two endpoints may be connected."""

    __slots__ = ("_backward", "_covers_left", "_covers_right", "_forward")

    def __init__(self, values: ValueRelation, implications: Implications) -> None:
        self._forward = _events(values, "the second receives what the first sends", "first", "second")
        self._backward = _events(values, "the first receives what the second sends", "second", "first")
        self._covers_right = _covers(implications, "first", "second", across=True)
        self._covers_left = _covers(implications, "second", "first", across=True)

    def parts(self, left: EndpointType, right: EndpointType, /) -> Sequence[Goal] | None:
        if not _connectable(left.local, right.local):
            return None
        return (
            (self._forward, left.outputs, right.inputs, ""),
            (self._backward, right.outputs, left.inputs, ""),
            (self._covers_right, left.provides, right.requires, ""),
            (self._covers_left, right.provides, left.requires, ""),
        )

    def claim(self, left: EndpointType, right: EndpointType, holds: bool, /) -> str:
        said = f"{brief(left)} {'matches' if holds else 'does not match'} {brief(right)}"
        if _connectable(left.local, right.local):
            return said
        return f"{said}: a local kind (`{left.local or right.local}`) connects only to its opposite"

    def sides(self, left: EndpointType, right: EndpointType, /) -> tuple[str, str]:
        return brief(left), brief(right)


class EndpointRelation(Relation):
    """`left ⊑ right`: the first endpoint can be used wherever the second is expected."""

    __slots__ = ("_inputs", "_outputs", "_promises")

    def __init__(self, values: ValueRelation, implications: Implications) -> None:
        self._outputs = EventsRelation(
            values,
            holds="it sends no more than is expected",
            fails="it sends what is not expected",
            absent="is sent, and nobody expects it",
        )
        self._inputs = EventsRelation(
            values,
            holds="it receives all that is expected",
            fails="it does not receive all that is expected",
            absent="is not received",
        )
        self._promises = _Promises(implications)

    def parts(self, left: EndpointType, right: EndpointType, /) -> Sequence[Goal] | None:
        if left.local != right.local:
            return None
        return (
            (self._outputs, left.outputs, right.outputs, ""),
            (self._inputs, right.inputs, left.inputs, ""),
            *self._promises.goals(left, right),
        )

    def claim(self, left: EndpointType, right: EndpointType, holds: bool, /) -> str:
        said = f"{brief(left)} {'can' if holds else 'cannot'} be used as {brief(right)}"
        if left.local == right.local:
            return said
        return f"{said}: a local kind (`{left.local or right.local}`) can be used only as its own kind"

    def sides(self, left: EndpointType, right: EndpointType, /) -> tuple[str, str]:
        return brief(left), brief(right)


class ObjectRelation(Relation):
    """`left ⊑ right` on object types."""

    __slots__ = ("_absent", "_endpoints", "_promises")

    def __init__(self, endpoints: EndpointRelation, implications: Implications) -> None:
        self._endpoints = endpoints
        self._promises = _Promises(implications)
        self._absent = Missing(lambda left, _right: f"{brief(left)} has no such endpoint")

    def parts(self, left: ObjectType, right: ObjectType, /) -> Sequence[Goal]:
        have, subtype = dict(left.endpoints), self._endpoints
        goals: list[Goal] = [
            (subtype, have[name], wanted, name) if name in have else (self._absent, left, wanted, name)
            for name, wanted in right.endpoints
        ]
        return [*goals, *self._promises.goals(left, right)]

    def claim(self, left: ObjectType, right: ObjectType, holds: bool, /) -> str:
        return f"{brief(left)} {'can' if holds else 'cannot'} be used as {brief(right)}"

    def sides(self, left: ObjectType, right: ObjectType, /) -> tuple[str, str]:
        return brief(left), brief(right)


class _Promises:
    """Both constraint conditions of subtyping: promises no weaker, demands no stronger."""

    def __init__(self, implications: Implications) -> None:
        self._provided = ConstraintRelation(
            implications, across=False, holds="it promises no less", fails="it promises less"
        )
        self._required = ConstraintRelation(
            implications, across=False, holds="it demands no more", fails="it demands more"
        )

    def goals(self, left: EndpointType | ObjectType, right: EndpointType | ObjectType) -> tuple[Goal, Goal]:
        return (
            (self._provided, left.provides, right.provides, ""),
            (self._required, right.requires, left.requires, ""),
        )


def _events(values: ValueRelation, holds: str, sender: str, receiver: str) -> EventsRelation:
    return EventsRelation(
        values,
        holds=holds,
        fails=f"the {receiver} cannot receive all that the {sender} sends",
        absent=f"is sent by the {sender}, and the {receiver} does not receive it",
    )


def _covers(implications: Implications, giver: str, taker: str, *, across: bool) -> ConstraintRelation:
    return ConstraintRelation(
        implications,
        across=across,
        holds=f"the {giver} promises what the {taker} demands",
        fails=f"the {giver} does not promise what the {taker} demands",
    )


def _connectable(left: str, right: str) -> bool:
    """True if the local kinds can be connected: both ends have events, or one is the opposite of the
    other."""
    if not left or not right:
        return left == right
    return left == f"~{right}" or right == f"~{left}"

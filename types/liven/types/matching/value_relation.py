"""Subtyping of value types: every value of the left type can be used where the right type is expected.

Containers are covariant, since events are immutable. Numbers widen only where that is exact. A record may
have more fields than expected, a union fewer tags than allowed. An absent field is not an optional field:
that would break transitivity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from liven.types.matching.goals import ITEM, Goal, Missing, Relation
from liven.types.terms.recursion import bare, unfold
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    EndpointTo,
    Float,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
    ValueType,
)

EXACT = {32: 2**24, 64: 2**53}
"""Whole numbers up to this size, of either sign, are exact in a float of that width."""

NO_FIELD = Missing(lambda left, right: f"{brief(left)} has no such field, and {brief(right)} is expected")
NO_CASE = Missing(lambda left, right: f"no such case in {brief(right)}, and {brief(left)} may come")


class ValueRelation(Relation):
    """`left ⊑ right` on value types. Its owner sets the relations used for the targets of references."""

    __slots__ = ("_rules", "endpoints", "objects")

    endpoints: Relation
    objects: Relation

    def __init__(self) -> None:
        self._rules: dict[type, Callable[[Any, Any], Sequence[Goal] | None]] = {
            Integer: _integer,
            Float: _float,
            Scalar: lambda left, right: () if left.kind == right.kind else None,
            ListOf: lambda left, right: ((self, left.item, right.item, ITEM),),
            MapOf: lambda left, right: ((self, left.item, right.item, ITEM),),
            Record: self._record,
            Union: self._union,
            RefTo: lambda left, right: ((self.objects, left.target, right.target, ""),),
            EndpointTo: lambda left, right: ((self.endpoints, left.target, right.target, ""),),
            Local: lambda left, right: () if left.name == right.name else None,
            Opaque: lambda left, right: () if left.tag.id == right.tag.id else None,
            Loop: lambda left, right: () if left.name == right.name else None,
        }

    def parts(self, left: ValueType, right: ValueType, /) -> Sequence[Goal] | None:
        if type(right) is Recursive:
            right = unfold(right)
        if type(right) is OptionalOf:
            left, right = bare(left), bare(right)
        elif type(left) is Recursive:
            left = unfold(left)
        kind = type(right)
        if type(left) is not kind and not (kind is Float and type(left) is Integer):
            return None
        return self._rules[kind](left, right)

    def claim(self, left: ValueType, right: ValueType, holds: bool, /) -> str:
        said = f"{brief(left)} {'fits' if holds else 'does not fit'} {brief(right)}"
        return said if holds else said + _hint(left, right)

    def sides(self, left: ValueType, right: ValueType, /) -> tuple[str, str]:
        return brief(left), brief(right)

    def _record(self, left: Record, right: Record) -> Sequence[Goal]:
        have = dict(left.fields)
        return [
            (self, have[name], wanted, name) if name in have else (NO_FIELD, left, wanted, name)
            for name, wanted in right.fields
        ]

    def _union(self, left: Union, right: Union) -> Sequence[Goal]:
        known = dict(right.tags)
        return [
            (self, held, known[name], name) if name in known else (NO_CASE, held, right, name)
            for name, held in left.tags
        ]


def _integer(left: Integer, right: Integer) -> Sequence[Goal] | None:
    return () if right.low <= left.low and left.high <= right.high else None


def _float(left: Integer | Float, right: Float) -> Sequence[Goal] | None:
    if type(left) is Float:
        return () if left.bits <= right.bits else None
    exact = EXACT[right.bits]
    return () if isinstance(left, Integer) and -exact <= left.low and left.high <= exact else None


def _hint(left: ValueType, right: ValueType) -> str:
    """Return why two kinds that look alike do not fit, where a reader may wonder."""
    match left, right:
        case Integer(), Float(bits):
            return f": not every one of its numbers is exact in {bits} bits"
        case Integer() | Float(), Integer() | Float():
            return ": it is the wider one" if type(left) is type(right) else ": fractions would be lost"
        case OptionalOf(), _ if not isinstance(bare(right), OptionalOf) and not isinstance(right, OptionalOf):
            return ": it may be absent"
    return ""

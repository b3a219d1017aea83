"""Adapters: objects that would fit between two endpoints that do not match. Proposed, never inserted.

An adapter changes what can be observed, so that all nodes must build the same: a proposal becomes part of
the reference when a person accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from liven.runtime.checking.report import can_build
from liven.types.catalogue import Catalogue, Entry
from liven.types.matching import Matcher
from liven.types.structure import EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class Proposal:
    """An object, and which of its endpoints goes to which side."""

    entry: Entry
    left: str
    right: str

    def __str__(self) -> str:
        return f"insert {self.entry.alias}: its {self.left} on the left, its {self.right} on the right"


def propose(
    catalogue: Catalogue, matcher: Matcher, left: EndpointType, right: EndpointType
) -> Iterator[Proposal]:
    """Every object with code here that takes no classes and no endpoints but these two, and matches both."""
    for entry in catalogue.entries("component"):
        if not can_build(entry) or entry.source.type_parameters():
            continue
        kind = catalogue.term(entry)
        if isinstance(kind, ObjectType) and len(kind.endpoints) == 2:
            yield from _between(entry, kind, matcher, left, right)


def _between(
    entry: Entry, kind: ObjectType, matcher: Matcher, left: EndpointType, right: EndpointType
) -> Iterator[Proposal]:
    (first, one), (second, other) = kind.endpoints
    for near, near_type, far, far_type in ((first, one, second, other), (second, other, first, one)):
        if _joins(matcher, left, near_type) and _joins(matcher, far_type, right):
            yield Proposal(entry, near, far)


def _joins(matcher: Matcher, one: EndpointType, other: EndpointType) -> bool:
    """Whether they match and have something to say to each other: two that share no event always match."""
    speaks = {name for name, _ in one.outputs} & {name for name, _ in other.inputs}
    hears = {name for name, _ in one.inputs} & {name for name, _ in other.outputs}
    return bool(speaks or hears) and bool(matcher.matches(one, other))

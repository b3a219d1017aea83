"""Descriptions of a known class: lines for people, and data for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from liven.types.catalogue.entry import KIND_NAMES, Entry
from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.type_text import spell, spell_events


def marks(entry: Entry) -> list[str]:
    """Return the remarks beside the structure."""
    said = []
    if entry.never:
        said.append("of the original program; Liven will not implement it")
    if not entry.typed:
        said.append("known by name only")
    if entry.used:
        said.append("found in original files")
    return said


def described(entry: Entry) -> Iterator[str]:
    """Yield the names and the structure of a class."""
    yield f'{KIND_NAMES[entry.kind]} {entry.alias}  "{entry.name}"'
    yield f"  id: {entry.id if entry.has_id else 'none; it is known by its structure'}"
    yield f"  declared in: {entry.origin}"
    for mark in marks(entry):
        yield f"  note: {mark}"
    for parameter in entry.source.type_parameters():
        yield f"  takes: {parameter.name}, a class of kind {KIND_NAMES[parameter.kind]}"
    for value in entry.source.value_parameters():
        yield f"  parameter {value.name}: {value.written}"
    if entry.view:
        yield f"  view: {entry.view}"
    if entry.source.type_parameters() or entry.kind == "formalism":
        yield from (f"  {line}" for line in entry.source.lines())
    else:
        yield from (f"  {line}" for line in structure(entry.source.term(())))


def structure(term: Any) -> Iterator[str]:
    """Yield the lines of a term, one for each endpoint, event and constraint."""
    if isinstance(term, ObjectType):
        for name, endpoint in term.endpoints:
            yield f"endpoint {name}"
            yield from (f"  {line}" for line in structure(endpoint))
        yield from _constraints(term.provides, term.requires)
    elif isinstance(term, EndpointType):
        if term.local:
            yield f"local {term.local}"
        yield from (f"in  {spell_events((event,))}" for event in term.inputs)
        yield from (f"out {spell_events((event,))}" for event in term.outputs)
        yield from _constraints(term.provides, term.requires)
    elif isinstance(term, tuple):
        yield from (spell_events((event,)) for event in term)
    else:
        yield spell(term)


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return the description of a class as data."""
    open_ = bool(entry.source.type_parameters())
    shown = entry.source.lines() if open_ or entry.kind == "formalism" else structure(entry.source.term(()))
    return {
        "kind": entry.kind,
        "alias": entry.alias,
        "name": entry.name,
        "id": str(entry.id) if entry.has_id else None,
        "origin": entry.origin,
        "never": entry.never,
        "typed": entry.typed,
        "used": entry.used,
        "type_parameters": [{"name": one.name, "kind": one.kind} for one in entry.source.type_parameters()],
        "parameters": [{"name": one.name, "type": one.written} for one in entry.source.value_parameters()],
        "structure": list(shown),
    }


def explanation_data(answer: Explanation) -> dict[str, Any]:
    """Return an explanation as data, including its reasons."""
    return {
        "holds": answer.holds,
        "claim": answer.claim,
        "subject": answer.subject,
        "left": answer.left,
        "right": answer.right,
        "reasons": [explanation_data(reason) for reason in answer.reasons],
    }


def _constraints(provides: tuple[Constraint, ...], requires: tuple[Constraint, ...]) -> Iterator[str]:
    yield from (f"provides `{one.text}`" for one in provides)
    yield from (f"requires `{one.text}`" for one in requires)

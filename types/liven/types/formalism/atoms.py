"""Atoms: the kinds of events at an endpoint, and the names that formulas use for them.

They are seen by the owner of the endpoint: `in.E` is received, `out.E` is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.quoting import quoted
from liven.types.formalism.suggestions import suggestion

Kind: TypeAlias = Literal["in", "out", "connect", "disconnect", "other"]

ANY = "*"
"""In a formula, any event of a direction; in an alphabet, any event without a letter of its own."""

_MIRROR: dict[Kind, Kind] = {"in": "out", "out": "in"}


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """One kind of event; `endpoint` is empty where a formula is about a single endpoint."""

    endpoint: str
    kind: Kind
    event: str = ""

    def __str__(self) -> str:
        return ".".join(part for part in (self.endpoint, self.kind, self.event) if part)

    @property
    def spelled(self) -> str:
        """The atom as a formula writes it: its text, with quotes around names that need them."""
        return ".".join(quoted(part) for part in (self.endpoint, self.kind, self.event) if part)

    def mirrored(self) -> Atom:
        """The same event as seen at the other end of the connection."""
        return Atom(self.endpoint, _MIRROR.get(self.kind, self.kind), self.event)


OTHER = Atom("", "other")
"""The letter for every event that the formulas do not name."""


def resolve(name: str, vocabulary: Vocabulary) -> tuple[Atom, ...]:
    """Return the atoms that `name` stands for: one, or two for `*`; raise FormulaError."""
    if not vocabulary.endpoints:
        return _at_endpoint(name, vocabulary, "")
    endpoint, inner = _endpoint_of(name, vocabulary)
    rest = name[len(endpoint) + 1 :]
    if not rest:
        raise FormulaError(f"{name!r} is an endpoint; name one of its events, as in {name}.connect")
    return _at_endpoint(rest, inner, endpoint)


def parse_atom(text: str) -> Atom:
    """Read the printed form of an atom of one endpoint: `in.E`, `out.E`, `connect`, `disconnect`."""
    head, _, event = text.partition(".")
    if head in ("in", "out") and event:
        return Atom("", "in" if head == "in" else "out", event)
    if text in ("connect", "disconnect"):
        return Atom("", "connect" if text == "connect" else "disconnect")
    raise ValueError(f"{text!r} is not an event; write in.EVENT, out.EVENT, connect or disconnect")


def _endpoint_of(name: str, vocabulary: Vocabulary) -> tuple[str, Vocabulary]:
    matching = [pair for pair in vocabulary.endpoints if name == pair[0] or name.startswith(pair[0] + ".")]
    if not matching:
        known = [endpoint for endpoint, _ in vocabulary.endpoints]
        near = suggestion(name.split(".", 1)[0], known)
        raise FormulaError(f"{name!r} does not begin with an endpoint of this object{near}")
    return max(matching, key=lambda pair: len(pair[0]))


def _at_endpoint(name: str, vocabulary: Vocabulary, endpoint: str) -> tuple[Atom, ...]:
    if name == ANY:
        return Atom(endpoint, "in", ANY), Atom(endpoint, "out", ANY)
    head, _, event = name.partition(".")
    if event and head in ("in", "out"):
        return (_directed("in" if head == "in" else "out", event, vocabulary, endpoint),)
    received, sent = name in vocabulary.inputs, name in vocabulary.outputs
    if received and sent:
        raise FormulaError(f"{name!r} is both received and sent; write in.{name} or out.{name}")
    if received or sent:
        return (Atom(endpoint, "in" if received else "out", name),)
    if name.lower() in ("connect", "disconnect"):
        return (Atom(endpoint, "connect" if name.lower() == "connect" else "disconnect"),)
    raise FormulaError(f"{name!r} is not an event here{suggestion(name, _names(vocabulary))}")


def _directed(kind: Literal["in", "out"], event: str, vocabulary: Vocabulary, endpoint: str) -> Atom:
    here, there = vocabulary.inputs, vocabulary.outputs
    if kind == "out":
        here, there = there, here
    if event == ANY or event in here:
        return Atom(endpoint, kind, event)
    if event in there:
        way, other = ("received", "out") if kind == "in" else ("sent", "in")
        raise FormulaError(f"{event!r} is not {way} here; did you mean {other}.{event}?")
    raise FormulaError(f"{kind}.{event} is not an event here{suggestion(event, here)}")


def _names(vocabulary: Vocabulary) -> list[str]:
    return [*vocabulary.inputs, *vocabulary.outputs, "connect", "disconnect"]

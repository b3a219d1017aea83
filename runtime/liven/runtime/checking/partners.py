"""Checking partners: an endpoint that names the object it connects to is connected to no other.

Without this, an object that trusts its neighbour could be given a neighbour of the same type by somebody
else, or two half ones. Only what a recipe says is checked: an object from a folder counts as the reference to
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from liven.runtime.checking.report import Fault, FaultKind, Report
from liven.runtime.reference.composite import Port, PortError, instantiate, step
from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.identity import digest
from liven.runtime.reference.ids import Lookup
from liven.runtime.reference.model import Composite, Object, Partner, Path, Reference, name_of, parts
from liven.runtime.signing.signature import Signature, Signed, fingerprint
from liven.types.matching import Matcher

MOST_OBJECTS = 5_000
"""The most objects of a recipe with partners, whose composites may unfold to any number."""


class _TooLargeError(Exception):
    """The recipe unfolds to more objects than anybody intends."""


def partner_faults(thing: Object, report: Report, matcher: Matcher, lookup: Lookup) -> tuple[Fault, ...]:
    """Return every connection of a recipe that breaks the demand of one of its ends.

    `thing` is the recipe as it was signed, before requirements are copied into its parts.
    """
    if not _has_partners(thing):
        return ()
    run = _Partners(report, matcher, lookup)
    try:
        return tuple(run.of(thing, ("Object",)))
    except _TooLargeError:
        what = f"its partners cannot be checked: it unfolds to more than {MOST_OBJECTS:,} objects"
        return (Fault(FaultKind.PARTNER, ("Object",), what, "use the parameters of a composite fewer times"),)


def _has_partners(thing: Object) -> bool:
    return bool(thing.partners) or any(_has_partners(part) for _, part in parts(thing))


class _Partners:
    """One check."""

    def __init__(self, report: Report, matcher: Matcher, lookup: Lookup) -> None:
        self._types = {part.path: part.type for part in report.parts}
        self._matcher = matcher
        self._lookup = lookup
        self._left = MOST_OBJECTS

    def of(self, thing: Object, path: Path) -> Iterator[Fault]:
        self._left -= 1
        if self._left < 0:
            raise _TooLargeError
        if isinstance(thing, Composite):
            thing = instantiate(thing, {}) if thing.parameters else thing
            yield from self._connections(thing, path)
        else:
            yield from self._parameters(thing, path)
        for steps, part in parts(thing):
            yield from self.of(part, (*path, *steps))

    def _connections(self, thing: Composite, path: Path) -> Iterator[Fault]:
        inside = {part.id: part.object for part in thing.components}
        for joint in thing.connections:
            try:
                left, right = Port.parse(joint.left), Port.parse(joint.right)
            except PortError:
                continue  # a fault of its own
            one, other = inside.get(left.component), inside.get(right.component)
            if one is not None and other is not None:
                place = (*path, step(joint.left, joint.right))
                yield from self._judged(one, left.endpoint, other, place)
                yield from self._judged(other, right.endpoint, one, place)

    def _parameters(self, thing: Reference, path: Path) -> Iterator[Fault]:
        """Judge the objects that are given for endpoints; the endpoint of the child that fits is joined."""
        for item in thing.parameters:
            child = item.value
            if not isinstance(child, Reference | Composite) or child.null:
                continue
            place = (*path, f"Parameter[{item.id}]", "Value")
            yield from self._judged(thing, item.id, child, place)
            for name in self._joined(path, item.id, place, child):
                yield from self._judged(child, name, thing, place)

    def _joined(self, above: Path, name: str, path: Path, child: Object) -> tuple[str, ...]:
        """Return the endpoints of a child that may be joined to `name`; all that demand something if the
        types are not known."""
        whole, inner = self._types.get(above), self._types.get(path)
        port = dict(whole.endpoints).get(name) if whole is not None else None
        if port is None or inner is None:
            return tuple(one.endpoint for one in child.partners)
        return tuple(end for end, type_ in inner.endpoints if self._matcher.matches(port, type_))

    def _judged(self, thing: Object, endpoint: str, other: Object, place: Path) -> Iterator[Fault]:
        for demand in _demands(thing, endpoint):
            why = self._refusal(demand, other)
            if why:
                what = f"{_called(thing)} connects its endpoint {endpoint!r} only to {_wanted(demand)}; {why}"
                yield Fault(
                    FaultKind.PARTNER, place, what, "ask whoever sent the recipe for the right object"
                )

    def _refusal(self, demand: Partner, other: Object) -> str:
        """Return why an object is not the partner; empty if it is."""
        try:
            found = digest(other, self._lookup)
        except RecipeError as error:
            return f"the identity of {_called(other)} is not known: {error}"
        if demand.sha256 and demand.sha256 != found:
            return f"{_called(other)} is sha256 {found}"
        if demand.signer and not _is_signed(other, demand.signer, found):
            return f"{_called(other)} is {_signers(other, found)}"
        return ""


def _demands(thing: Object, endpoint: str) -> Iterator[Partner]:
    """Yield what an object demands of the partner of an endpoint, also the part that exports it."""
    yield from (one for one in thing.partners if one.endpoint == endpoint)
    if not isinstance(thing, Composite):
        return
    inside = {part.id: part.object for part in thing.components}
    for export in thing.exports:
        if export.id == endpoint:
            component, _, name = export.origin.strip().partition(".")
            if component in inside:
                yield from _demands(inside[component], name)


def _is_signed(thing: Object, signer: str, identity: str) -> bool:
    return any(
        one.signer == signer and Signature(one.signer, one.name, one.proof).holds(Signed.OBJECT, identity)
        for one in thing.signatures
    )


def _signers(thing: Object, identity: str) -> str:
    valid = [one.signer for one in thing.signatures if _is_signed(thing, one.signer, identity)]
    if valid:
        return "signed by " + " and by ".join(fingerprint(key) for key in valid[:3])
    return "not signed" if not thing.signatures else "changed since it was signed"


def _wanted(demand: Partner) -> str:
    wanted = [f"sha256 {demand.sha256}"] if demand.sha256 else []
    wanted += [f"an object signed by {fingerprint(demand.signer)}"] if demand.signer else []
    return " and ".join(wanted)


def _called(thing: Object) -> str:
    name = name_of(thing) or ("the composite" if isinstance(thing, Composite) else thing.id)
    return f"“{name[:80]}”"

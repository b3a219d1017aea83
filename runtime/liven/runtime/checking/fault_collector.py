"""The faults that the parts of one check record."""

from __future__ import annotations

from liven.runtime.checking.report import Asserted, Fault, FaultKind, Part
from liven.runtime.foreign_text import visible
from liven.runtime.reference import ids
from liven.runtime.reference.errors import LONGEST_REASON, shortened
from liven.runtime.reference.model import Path
from liven.types.catalogue import Catalogue, ValueParameter
from liven.types.explanation import Explanation
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType

MOST_STEPS = 20_000
"""The most objects and classes in one check. A small file may unfold to any number: each composite can use
its parameters twice, and pass that on."""


DEEPEST = 160
"""Steps of a path. A file alone reaches 128; what composites are given may be put below what they hold."""
MOST_FAULTS = 1_000
"""The most faults recorded for one recipe; more would not help anybody."""


_INSTALL = "install the library that declares it: liven library add PATH"


class EndlessError(Exception):
    """The recipe unfolds to more parts than anybody intends."""


class FaultCollector:
    """The faults of one check so far."""

    def __init__(self) -> None:
        self._steps = 0
        self.faults: list[Fault] = []
        self.parts: list[Part] = []
        self.asserted: list[Asserted] = []
        self.unknown: dict[str, None] = {}
        self.strangers: set[tuple[str, str]] = set()
        """The kinds and ids that were not found."""
        self.taken: dict[int, tuple[tuple[ValueParameter, ...], frozenset[str]]] = {}
        """The parameters of the classes seen so far, and those with defaults, by the identity of the class: a
        small recipe may unfold to thousands of objects of one class."""

    def fault(
        self,
        kind: FaultKind,
        path: Path,
        what: str,
        advice: str = "",
        explanation: Explanation | None = None,
    ) -> None:
        """Record one fault."""
        if len(self.faults) >= MOST_FAULTS and kind is not FaultKind.SIZE:
            return
        what, advice = (visible(shortened(text, LONGEST_REASON)) for text in (what, advice))
        self.faults.append(Fault(kind, path, what, advice, explanation))

    def step(self, path: Path) -> None:
        """Count one object or class; raise EndlessError if there are too many,
        or if they are nested too deep."""
        self._steps += 1
        if self._steps > MOST_STEPS or len(path) > DEEPEST:
            raise EndlessError

    def unknown_class(self, path: Path, id_: str, what: str, near: list[str], needs: tuple[str, ...]) -> None:
        """Record an id that no class here has."""
        self.unknown[id_] = None
        id_ = shortened(id_)
        if needs:
            advice = f"install {' or '.join(needs)}, which the reference requires: liven library add PATH"
        elif near:
            advice = f"did you mean {' or '.join(near)}? If not, {_INSTALL}"
        else:
            advice = _INSTALL
        self.fault(FaultKind.UNKNOWN, path, f"no {what} {ids.brief(id_)} is known here", advice)


def mending(catalogue: Catalogue, matcher: Matcher, left: EndpointType, right: EndpointType) -> str:
    """Return the adapters between two endpoints that do not match, as advice."""
    from liven.runtime.checking.adapter_proposals import (
        advise,  # imported here because it needs this package, and most checks need no advice
    )

    return advise(catalogue, matcher, left, right)

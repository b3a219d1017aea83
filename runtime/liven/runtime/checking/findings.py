"""Where the parts of a check put what they find."""

from __future__ import annotations

from liven.runtime.checking.report import Asserted, Fault, FaultKind, Part
from liven.runtime.reference import ids
from liven.runtime.reference.model import Path
from liven.types.explain import Explanation


class Findings:
    """The faults of one check so far."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.parts: list[Part] = []
        self.asserted: list[Asserted] = []
        self.unknown: dict[str, None] = {}

    def fault(
        self,
        kind: FaultKind,
        path: Path,
        what: str,
        advice: str = "",
        explanation: Explanation | None = None,
    ) -> None:
        """Notes one thing that is wrong."""
        self.faults.append(Fault(kind, path, what, advice, explanation))

    def unknown_class(self, path: Path, id_: str, what: str, near: list[str], needs: tuple[str, ...]) -> None:
        """Notes an id that no class here has."""
        self.unknown[id_] = None
        if needs:
            advice = f"install {' or '.join(needs)}, which the reference requires"
        elif near:
            advice = f"did you mean {' or '.join(near)}?"
        else:
            advice = "install the library that declares it"
        self.fault(FaultKind.UNKNOWN, path, f"no {what} {ids.brief(id_)} is known here", advice)

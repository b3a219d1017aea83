"""Our RELAX NG schema, and validation against it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from lxml import etree

from liven.runtime.reference.xml.limits import LIMITS, Limits
from liven.runtime.reference.xml.parser import parse


@dataclass(frozen=True, slots=True)
class Schema:
    """The grammar, compiled; make one and keep it."""

    compiled: etree.RelaxNG

    @classmethod
    def load(cls) -> Schema:
        """The grammar that this version of the program ships."""
        return cls(etree.RelaxNG(etree.fromstring(source())))

    def faults(self, data: bytes | str, limits: Limits = LIMITS) -> tuple[str, ...]:
        """What in a file breaks the grammar, each with its line; empty if it is valid.

        Raises ReadError if the text is not XML at all, or over the limits.
        """
        root = parse(data, limits).element
        if self.compiled.validate(root):
            return ()
        return tuple(f"line {entry.line}: {entry.message}" for entry in self.compiled.error_log)


def source() -> bytes:
    """The text of the schema, as it is shown in the documentation."""
    return (resources.files("liven.runtime.reference") / "schema" / "liveobject.rng").read_bytes()

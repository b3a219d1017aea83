"""Our RELAX NG schema, and validation against it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from lxml import etree

from liven.runtime.reference.xml.limits import LIMITS, Limits
from liven.runtime.reference.xml.parser import parse


@dataclass(frozen=True, slots=True)
class Schema:
    """The compiled grammar; make one and keep it."""

    compiled: etree.RelaxNG

    @classmethod
    def load(cls) -> Schema:
        """Return the grammar of this version of the program."""
        return cls(etree.RelaxNG(etree.fromstring(source())))

    def faults(self, data: bytes | str, limits: Limits = LIMITS) -> tuple[str, ...]:
        """Return every violation of the grammar in a file, with its line; empty if it is valid.

        Raise ReadError if the text is not XML at all, or over the limits.
        """
        root = parse(data, limits).element
        if self.compiled.validate(root):
            return ()
        return tuple(f"line {entry.line}: {entry.message}" for entry in self.compiled.error_log)


def source() -> bytes:
    """Return the text of the schema, as the documentation shows it."""
    return (resources.files("liven.runtime.reference") / "schema" / "liveobject.rng").read_bytes()

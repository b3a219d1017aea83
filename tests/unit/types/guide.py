"""Reads the author guide: its files, its commands with their output, and its snippets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of the guide."""

    kind: str
    text: str

    @property
    def file(self) -> str:
        """The name of the file that a Python block is; empty for a snippet that runs at once."""
        first = self.text.partition("\n")[0]
        return first[2:] if self.kind == "python" and first.endswith(".py") else ""

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield each command of a console block with the output that the guide shows."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def blocks(guide: Path) -> list[Block]:
    """Return every fenced block, in order."""
    return [Block(kind, text) for kind, text in _FENCE.findall(guide.read_text(encoding="utf-8"))]

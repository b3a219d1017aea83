"""The names of files of other programs. Nothing else is imported here: the command line asks before Qt is
loaded."""

from __future__ import annotations

from typing import Final

SUFFIXES: Final = (
    ".excalidraw",
    ".excalidraw.png",
    ".excalidraw.svg",
    ".tldr",
    ".svg",
    ".csv",
    ".tsv",
    ".pdf",
)
"""The ends of the names of files that can be read."""


def is_foreign(name: str) -> bool:
    """Return True for the name of a file of another program that can be read."""
    return name.lower().endswith(SUFFIXES)

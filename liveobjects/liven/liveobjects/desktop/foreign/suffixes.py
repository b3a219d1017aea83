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


WRITTEN: Final = (".md", ".markdown", ".txt")
PICTURES: Final = (".png", ".jpg", ".jpeg", ".jfif", ".gif", ".webp", ".bmp")
"""The ends of the names of files that a desktop takes without this package: as a note, or as an image."""


def goes_on_new_desktop(name: str) -> bool:
    """Return True for the name of a file that is opened as a new desktop with the file on it."""
    return is_foreign(name) or name.lower().endswith((*WRITTEN, *PICTURES))


def is_foreign(name: str) -> bool:
    """Return True for the name of a file of another program that can be read."""
    return name.lower().endswith(SUFFIXES)

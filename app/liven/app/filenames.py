"""Files that the program writes: whole or not at all, under names that lead nowhere else."""

from __future__ import annotations

from liven.runtime.files import write_whole

__all__ = ["plain_name", "write_whole"]


def plain_name(name: str) -> str:
    """What an object is called, as the name of a file: nothing that leads elsewhere, or is too long."""
    plain = "".join(letter if letter.isalnum() or letter in " -_.," else "_" for letter in name).strip(" .")
    return plain.encode()[:120].decode(errors="ignore").rstrip(" .") or "object"

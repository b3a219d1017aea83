"""File names made from the names of objects."""

from __future__ import annotations


def plain_name(name: str) -> str:
    """Return an object's name as a valid file name, without separators and not too long."""
    plain = "".join(letter if letter.isalnum() or letter in " -_.," else "_" for letter in name).strip(" .")
    return plain.encode()[:120].decode(errors="ignore").rstrip(" .") or "object"

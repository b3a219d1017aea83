"""The version of the installed program."""

from __future__ import annotations


def version() -> str:
    """Return the installed version."""
    from importlib import metadata  # slow to import

    return metadata.version("liven")

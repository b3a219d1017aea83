"""The version of the installed program."""

from __future__ import annotations


def version() -> str:
    """Return the installed version."""
    from importlib import metadata  # takes longer to load than handing a file over takes in all

    return metadata.version("liven")

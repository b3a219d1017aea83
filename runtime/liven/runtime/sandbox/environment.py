"""The environment of a confined process: language and time zone, and nothing about the person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_KEPT = ("LANG", "LANGUAGE", "TZ", "PATH")
_KEPT_PREFIX = "LC_"


def clean_environment(environment: Mapping[str, str], own: Path | None = None) -> dict[str, str]:
    """Return what a confined process gets of an environment; `own` is its folder for everything."""
    kept = {
        name: text for name, text in environment.items() if name in _KEPT or name.startswith(_KEPT_PREFIX)
    }
    kept["PYTHONDONTWRITEBYTECODE"] = "1"
    if own is not None:
        kept |= {"HOME": str(own), "TMPDIR": str(own)}
    return kept

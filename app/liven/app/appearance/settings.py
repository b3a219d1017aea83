"""The settings of the appearance, from `config.toml` and the environment; by default the system decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.app import config_file

SECTION: Final = "appearance"
ALLOWED: Final = {"contrast": ("system", "high", "normal"), "motion": ("system", "reduced", "full")}
"""The settings, and what each may be."""


class AppearanceError(ValueError):
    """A setting that cannot be: where it stands, what is wrong, what it may be."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the person chose."""

    contrast: str = "system"
    motion: str = "system"


def variable(name: str) -> str:
    """What a setting is called in the environment."""
    return f"LIVEN_{name.upper()}"


def read_appearance(config: Path, environment: Mapping[str, str]) -> Appearance:
    """The settings; the environment wins over the file. Raises AppearanceError."""
    path = config / config_file.NAME
    written = config_file.section(path, SECTION, ALLOWED, AppearanceError)
    values = {}
    for name, allowed in ALLOWED.items():
        named = variable(name)
        where = named if named in environment else f"{path}: {SECTION}.{name}"
        value = environment.get(named, written.get(name, "system"))
        if value not in allowed:
            raise AppearanceError(f"{where} is {value!r}; it may be {', '.join(allowed)}")
        values[name] = str(value)
    return Appearance(**values)

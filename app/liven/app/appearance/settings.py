"""The appearance settings from `config.toml` and the environment. By default the system decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.app import config_file

SECTION: Final = "appearance"
ALLOWED: Final = {
    "light": ("system", "day", "dusk"),
    "contrast": ("system", "high", "normal"),
    "motion": ("system", "reduced", "full"),
}
"""The settings and their valid values."""


class AppearanceError(ValueError):
    """Raised for an invalid setting; the message names its source, the error and the valid values."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """The user's choices."""

    contrast: str = "system"
    motion: str = "system"
    light: str = "system"


def variable(name: str) -> str:
    """Return the name of a setting's environment variable."""
    return f"LIVEN_{name.upper()}"


def read_appearance(config: Path, environment: Mapping[str, str]) -> Appearance:
    """Return the settings. The environment overrides the file. Raise AppearanceError for invalid values."""
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

"""The settings of the appearance, from `config.toml` and the environment; by default the system decides."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SECTION: Final = "appearance"
CONTRAST: Final = ("system", "high", "normal")
MOTION: Final = ("system", "reduced", "full")


class AppearanceError(ValueError):
    """A setting that cannot be: where it stands, what is wrong, what it may be."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the person chose."""

    contrast: str = "system"
    motion: str = "system"


def read_appearance(config: Path, environment: Mapping[str, str]) -> Appearance:
    """The settings; the environment wins over the file. Raises AppearanceError."""
    written = _section(config / "config.toml")
    values = {}
    for name, allowed in (("contrast", CONTRAST), ("motion", MOTION)):
        variable = f"LIVEN_{name.upper()}"
        where = variable if variable in environment else f"{config / 'config.toml'}: {SECTION}.{name}"
        value = environment.get(variable, written.get(name, "system"))
        if value not in allowed:
            raise AppearanceError(f"{where} is {value!r}; it may be {', '.join(allowed)}")
        values[name] = str(value)
    return Appearance(**values)


def _section(path: Path) -> dict[str, object]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AppearanceError(f"{path} cannot be read: {error}") from error
    section = content.get(SECTION, {})
    if not isinstance(section, dict):
        raise AppearanceError(f"{path}: {SECTION} is not a table; write [{SECTION}] on a line of its own")
    for name in section:
        if name not in ("contrast", "motion"):
            raise AppearanceError(f"{path}: {SECTION}.{name} is no setting; there are contrast and motion")
    return section

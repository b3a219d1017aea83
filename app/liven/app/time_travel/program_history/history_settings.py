"""The settings for the histories that a program keeps by itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.app.config_file import NAME, section
from liven.app.network.settings import SettingError
from liven.runtime.problems import Kind, Problem, Report

SECTION: Final = "history"
KEEP, DAYS, MEGABYTES = "keep", "days", "megabytes"
_DAY: Final = 86_400.0
_MEGABYTE: Final = 1 << 20
DAYS_MOST, MEGABYTES_MOST = 36_500, 1 << 20


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """The part of the past of each object that stays on disk."""

    keep: bool = True
    """False if no history is kept."""
    days: int = 30
    megabytes: int = 64
    """The size of one object's history, with everything inside it."""

    @property
    def seconds(self) -> float:
        """The age beyond which the oldest part goes."""
        return self.days * _DAY

    @property
    def most_bytes(self) -> int:
        """The size beyond which the oldest part goes."""
        return self.megabytes * _MEGABYTE


def history_settings(config: Path) -> HistorySettings:
    """Return the settings in a folder of settings; raise SettingError if one is unfit."""
    path, default = config / NAME, HistorySettings()
    found = section(path, SECTION, (KEEP, DAYS, MEGABYTES), SettingError)
    keep = found.get(KEEP, default.keep)
    if not isinstance(keep, bool):
        raise SettingError(f"{path}: {SECTION}.{KEEP} is neither true nor false")
    days = _number(path, DAYS, found.get(DAYS, default.days), DAYS_MOST)
    return HistorySettings(
        keep, days, _number(path, MEGABYTES, found.get(MEGABYTES, default.megabytes), MEGABYTES_MOST)
    )


def settings_or_told(config: Path, report: Report) -> HistorySettings:
    """Return the same. A setting that cannot be read is reported, and no history is kept."""
    try:
        return history_settings(config)
    except SettingError as error:
        advice = "until it is corrected, no history is kept"
        report(Problem(Kind.RAISED, ("settings",), str(error), advice))
        return HistorySettings(keep=False)


def _number(path: Path, name: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise SettingError(f"{path}: {SECTION}.{name} is no whole number from 1 to {most:,}")
    return value

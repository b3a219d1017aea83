"""The setting of a person who does not want to be recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from liven.app.config_file import NAME, section
from liven.app.network.settings import SettingError
from liven.runtime.problems import Kind, Problem, Report

SECTION: Final = "recording"
OBJECT: Final = "object"


def objects_to_recording(config: Path) -> bool:
    """Return True if the person objects to every recording; raise SettingError if the setting is no truth
    value."""
    path = config / NAME
    found = section(path, SECTION, (OBJECT,), SettingError).get(OBJECT, False)
    if not isinstance(found, bool):
        raise SettingError(f"{path}: {SECTION}.{OBJECT} is neither true nor false")
    return found


def objects_or_told(config: Path, report: Report) -> bool:
    """Return the same. A setting that cannot be read is reported, and counts as an objection."""
    try:
        return objects_to_recording(config)
    except SettingError as error:
        advice = "until it is corrected, you object to being recorded"
        report(Problem(Kind.RAISED, ("settings",), str(error), advice))
        return True

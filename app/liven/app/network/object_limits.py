"""The settings of the rate limits: how much one object may send. Only the user sets them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from liven.app.config_file import NAME, section
from liven.app.network.cli import complain
from liven.app.network.settings import SettingError
from liven.liveobjects.channel.process.rate_limits import RateLimits
from liven.runtime.exit_codes import BAD_USE
from liven.runtime.user_folders import UserFolders

SECTION = "objects"
_MOST = 1e12


def object_limits(config: Path) -> RateLimits:
    """Return the limits from the settings; raise SettingError if one is not a number."""
    path = config / NAME
    known = {one.name for one in fields(RateLimits)}
    given: dict[str, float] = {}
    for name, value in section(path, SECTION, known, SettingError).items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST:
            raise SettingError(f"{path}: {SECTION}.{name} is not a number from 0 to {_MOST:,.0f}")
        given[name] = float(value)
    return RateLimits(**given)


def limits_of(folders: UserFolders) -> RateLimits:
    """Return the user's limits; exit with an error if the settings are invalid."""
    try:
        return object_limits(folders.config)
    except SettingError as error:
        raise SystemExit(complain(str(error), BAD_USE)) from error

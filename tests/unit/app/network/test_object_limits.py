"""The rate limits in `config.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.network.object_limits import object_limits
from liven.app.network.settings import SettingError
from liven.liveobjects.channel.process.rate_limits import RateLimits


def test_without_settings_the_defaults_hold(tmp_path: Path) -> None:
    assert object_limits(tmp_path) == RateLimits()


def test_a_setting_changes_one_limit(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[objects]\nbytes_per_second = 5\n")
    assert object_limits(tmp_path) == RateLimits(bytes_per_second=5)


@pytest.mark.parametrize("value", ['"much"', "-1", "true", "1e13", "nan", "[]", "9" * 5000])
def test_anything_but_a_number_is_refused(tmp_path: Path, value: str) -> None:
    (tmp_path / "config.toml").write_text(f"[objects]\nbytes_per_second = {value}\n")
    with pytest.raises(SettingError, match=r"not a number from 0|cannot be read"):
        object_limits(tmp_path)


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[objects]\nbytes = 1\n")
    with pytest.raises(SettingError, match="is not a setting"):
        object_limits(tmp_path)

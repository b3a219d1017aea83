"""The settings of histories in `config.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.network.settings import SettingError
from liven.app.time_travel.program_history.history_settings import (
    HistorySettings,
    history_settings,
    settings_or_told,
)


def config(folder: Path, text: str) -> Path:
    (folder / "config.toml").write_text(text)
    return folder


def test_a_month_is_kept_by_default(tmp_path: Path) -> None:
    assert history_settings(tmp_path) == HistorySettings(keep=True, days=30, megabytes=64)
    assert HistorySettings().seconds == 30 * 86_400
    assert HistorySettings().most_bytes == 64 << 20


def test_other_limits_are_read(tmp_path: Path) -> None:
    found = history_settings(config(tmp_path, "[history]\nkeep = false\ndays = 7\nmegabytes = 5\n"))
    assert found == HistorySettings(keep=False, days=7, megabytes=5)


@pytest.mark.parametrize("line", ["keep = 1", "days = 0", "days = true", "megabytes = 1.5", "hours = 3"])
def test_an_unfit_setting_is_told_and_nothing_is_kept(tmp_path: Path, line: str) -> None:
    config(tmp_path, f"[history]\n{line}\n")
    with pytest.raises(SettingError, match="history"):
        history_settings(tmp_path)
    said: list[object] = []
    assert not settings_or_told(tmp_path, said.append).keep
    assert "history" in str(said[0])

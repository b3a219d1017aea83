"""Files with settings of Spark."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from liven.liveobjects.feeds.spark.settings_file import BadSettingsError, read_settings, write_settings


def test_settings_are_read_as_spark_reads_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "spark.conf"
    path.write_text("# a comment\n\n! another\nspark.a  one two \nspark.b=3\nspark.c : x=y\n  spark.d\t\n")
    with pytest.raises(BadSettingsError, match=r"spark\.conf, line 7: 'spark\.d' is not a key and a value"):
        read_settings(path)
    path.write_text(path.read_text().replace("  spark.d\t\n", ""))
    assert read_settings(path) == {"spark.a": "one two", "spark.b": "3", "spark.c": "x=y"}


def test_settings_come_back_as_they_were_written(tmp_path: Path) -> None:
    settings = {
        "a b": "c",
        "x=y:z": " leading",
        "back\\slash": "two\nlines\r",
        "empty": "",
        "e": "=v",
        "ü": "ä",
    }
    path = tmp_path / "settings"
    write_settings(path, settings, "one line\nanother")
    assert read_settings(path) == settings
    assert path.read_text().startswith("# one line\n# another\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadSettingsError, match="absent: No such file"):
        read_settings(tmp_path / "absent")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSettingsError, match="binary: it is not a text file"):
        read_settings(tmp_path / "binary")

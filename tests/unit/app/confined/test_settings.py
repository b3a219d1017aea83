from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from liven.app.confined.settings import PlacementError, add_argument, placement_of, read_placement
from liven.runtime.library.placement import Confine


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_argument(parser)
    return parser.parse_args(words)


def test_without_a_setting_fetched_libraries_are_confined(tmp_path: Path) -> None:
    assert read_placement(tmp_path).confine is Confine.FETCHED


@pytest.mark.parametrize("word", ["fetched", "all", "none"])
def test_setting_is_read(tmp_path: Path, word: str) -> None:
    (tmp_path / "config.toml").write_text(f'[libraries]\nconfine = "{word}"\n')
    assert read_placement(tmp_path).confine.value == word
    assert placement_of(parsed("--confined"), tmp_path).confine is Confine.ALL


@pytest.mark.parametrize("line", ['confine = "nobody"', "confine = false", 'confines = "all"'])
def test_wrong_setting_ends_the_start_with_a_sentence(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text(f"[libraries]\n{line}\n")
    with pytest.raises(PlacementError, match=r"libraries\.confine"):
        read_placement(tmp_path)
    with pytest.raises(SystemExit):
        placement_of(parsed(), tmp_path)
    assert "libraries.confine" in capsys.readouterr().err

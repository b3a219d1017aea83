"""Changing one setting in `config.toml` keeps everything else as the user wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.appearance.config_writer import changed, remember
from liven.app.appearance.settings import Appearance, AppearanceError, read_appearance

THEIRS = """# mine
[network]
port = 7000  # as ever

[appearance]  # for my eyes
contrast = "normal"

[other]
contrast = "none of ours"
"""


def test_a_missing_setting_is_added(tmp_path: Path) -> None:
    remember(tmp_path / "new", "contrast", "high")
    assert (tmp_path / "new" / "config.toml").read_text() == '[appearance]\ncontrast = "high"\n'
    remember(tmp_path / "new", "motion", "reduced")
    assert read_appearance(tmp_path / "new", {}) == Appearance("high", "reduced")


def test_only_the_line_of_the_setting_changes() -> None:
    after = changed(THEIRS, "contrast", "high")
    assert after == THEIRS.replace('contrast = "normal"', 'contrast = "high"')
    assert changed(after, "motion", "full").replace('motion = "full"\n', "") == after
    assert changed("port = 1\n", "motion", "full") == 'port = 1\n\n[appearance]\nmotion = "full"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '[appearance]\n  contrast="normal"  # my eyes\n[b]\n',
            '[appearance]\n  contrast="high"  # my eyes\n[b]\n',
        ),
        ("[appearance]\ncontrast = 'normal'", '[appearance]\ncontrast = "high"\n'),
        ("[appearance]", '[appearance]\ncontrast = "high"\n'),
        ("# a\u2028b\n[appearance]\n", '# a\u2028b\n[appearance]\ncontrast = "high"\n'),
        ('a = "\u2028\x85"\n', 'a = "\u2028\x85"\n\n[appearance]\ncontrast = "high"\n'),
    ],
)
def test_comments_beside_the_setting_stay(before: str, after: str) -> None:
    assert changed(before, "contrast", "high") == after


def test_line_endings_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b'port = 1\r\n[appearance]\r\ncontrast = "normal" # x\r\n')
    remember(tmp_path, "contrast", "high")
    remember(tmp_path, "motion", "full")
    assert path.read_bytes() == (b'port = 1\r\n[appearance]\r\nmotion = "full"\r\ncontrast = "high" # x\r\n')


@pytest.mark.parametrize(
    "text",
    [
        "[appearance",
        "a = " + "[" * 100_000,
        'appearance = "dark"\n',
        'appearance = { contrast = "high" }\n',
        'appearance.motion = "full"\n',
    ],
)
def test_a_file_that_cannot_be_edited_is_left_alone_with_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(AppearanceError) as caught:
        remember(tmp_path, "contrast", "high")
    assert str(path) in str(caught.value)
    assert 'contrast = "high" under [appearance]' in str(caught.value)
    assert path.read_text() == text


def test_an_unusable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AppearanceError, match="yourself"):
        remember(tmp_path / "file", "motion", "full")

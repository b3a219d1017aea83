"""Reading one table of `config.toml`, and the errors in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app import config_file


class WrongError(Exception):
    """The exception of the test's table."""


def read(folder: Path, text: str | bytes | None) -> dict[str, object]:
    path = folder / config_file.NAME
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return config_file.section(path, "part", ("one", "two"), WrongError)


@pytest.mark.parametrize("text", [None, "", "[other]\nthree = 3\n", "[part]\n"])
def test_a_missing_file_or_table_is_empty(tmp_path: Path, text: str | None) -> None:
    assert read(tmp_path, text) == {}


def test_one_table_is_returned_and_others_are_ignored(tmp_path: Path) -> None:
    assert read(tmp_path, '[part]\none = 1\ntwo = "x"\n[other]\nthree = 3\n') == {"one": 1, "two": "x"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[part]\nthree = 3\n", "part.three is not a setting; valid names: one, two"),
        ("part = 3\n", "part is not a table; write [part] on a line of its own"),
        ("[[part]]\none = 1\n", "part is not a table"),
        ("[part\n", "cannot be read: "),
        (b"[part]\none = '\xff'\n", "cannot be read: "),
    ],
)
def test_an_error_names_its_place(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(WrongError) as error:
        read(tmp_path, text)
    assert said in str(error.value)
    assert str(tmp_path / config_file.NAME) in str(error.value)


def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / config_file.NAME).mkdir()
    with pytest.raises(WrongError, match="cannot be read"):
        read(tmp_path, None)

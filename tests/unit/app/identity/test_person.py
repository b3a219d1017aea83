from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from liven.app.identity.person import Person, PersonError, person, rename


def test_the_first_run_makes_a_key_that_only_the_user_can_read_and_later_runs_keep_it(tmp_path: Path) -> None:
    first = person(tmp_path / "config")
    assert re.fullmatch("[0-9a-f]{32}", first.key)
    assert first.name
    assert person(tmp_path / "config") == first
    path = tmp_path / "config" / "person.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_name_can_be_chosen_and_has_bounds(tmp_path: Path) -> None:
    first = person(tmp_path)
    path = tmp_path / "person.toml"
    path.write_text(f'key = "{first.key}"\nname = "Ann {"x" * 100}"\n')
    assert person(tmp_path).name.startswith("Ann x")
    assert len(person(tmp_path).name) == 60
    path.write_text(f'key = "{first.key}"\nname = 3\n')
    assert person(tmp_path).name == first.name


@pytest.mark.parametrize("text", ["", 'key = "short"', "key = [", 'key = 3\nname = "x"'])
def test_a_broken_file_is_reported_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "person.toml"
    path.write_text(text)
    with pytest.raises(PersonError, match="correct it or move it away"):
        person(tmp_path)
    assert path.read_text() == text


def test_a_link_to_a_missing_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "person.toml").symlink_to(tmp_path / "missing.toml")
    with pytest.raises(PersonError, match="links to a missing file"):
        person(tmp_path)


def test_every_user_has_a_colour() -> None:
    colours = {Person(f"{number:04x}" + "0" * 28, "x").colour for number in range(0, 0x10000, 0x400)}
    assert len(colours) == 8
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


def test_further_programs_of_a_user_have_a_number_and_another_colour() -> None:
    slots = [Person("f" * 32, "Ann", number) for number in range(1, 9)]
    assert [one.known_as for one in slots[:3]] == ["Ann", "Ann 2", "Ann 3"]
    assert len({one.colour for one in slots}) == 8
    assert slots[0].colour == Person("f" * 32, "Ann").colour


def test_a_new_name_is_saved_with_the_key(tmp_path: Path) -> None:
    first = person(tmp_path)
    second = Person(first.key, first.name, 2)
    renamed = rename(tmp_path, second, '  Anna "the\n one" \\ ' + "x" * 100)
    assert (renamed.key, renamed.slot) == (first.key, 2)
    assert renamed.name.startswith('Anna "the one" \\ x')
    assert person(tmp_path) == Person(first.key, renamed.name)
    path = tmp_path / "person.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_name_or_a_write_error_changes_nothing(tmp_path: Path) -> None:
    first = person(tmp_path)
    with pytest.raises(PersonError, match="at least one letter"):
        rename(tmp_path, first, " \n ")
    assert person(tmp_path) == first
    (tmp_path / "file").write_text("")
    with pytest.raises(PersonError, match="could not be saved"):
        rename(tmp_path / "file", first, "Anna")

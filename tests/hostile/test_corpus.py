"""The hostile corpus: every file is opened and run, says its sentence, and changes nothing."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.libraries import LIBRARIES
from tests.hostile.recipes import RECIPES
from tests.hostile.settings_files import SETTINGS
from tests.hostile.special_files import SPECIAL

from liven.app.opening.source import reason_unopenable
from liven.runtime.commands import check, library, run
from liven.runtime.user_folders import UserFolders

LONGEST = 6_000
"""The most letters of a sentence: no recipe may make a message of its own length."""


def tree(folder: Path) -> dict[str, str]:
    """Return a mark of every file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "-"
        for path in folder.rglob("*")
        if not path.is_symlink()
    }


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def written(folder: Path) -> dict[str, Path]:
    """Write all recipes; return their files by the names of the cases."""
    folder.mkdir(exist_ok=True)
    found = {}
    for number, (name, one) in enumerate(RECIPES.items()):
        found[name] = folder / f"r{number:03}.liveobject"
        found[name].write_bytes(one.data)
    return found


def test_the_corpus_has_150_cases() -> None:
    assert len(RECIPES) + len(SPECIAL) + len(LIBRARIES) + len(SETTINGS) >= 150


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    check.configure(parser)
    code = check.run(parser.parse_args(list(arguments)))
    return code, "".join(capsys.readouterr())


@pytest.mark.usefixtures("home")
def test_every_recipe_is_opened_with_its_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = written(tmp_path / "files")
    before = tree(tmp_path / "files")
    code, told = checked(capsys, "--json", *map(str, files.values()))
    assert code == 1
    reports = {one["path"]: one for one in json.loads(told)["files"]}
    for name, path in files.items():
        report = reports[str(path)]
        said = "sound" if report["types"] and not report["problem"] else str(report["problem"])
        wanted = RECIPES[name].said
        assert report["types"] if wanted == "sound" else wanted in said, f"{name}: {said}"
        assert len(said) < LONGEST, name
        assert said.replace("\n", "").isprintable(), name
    assert tree(tmp_path / "files") == before


def test_every_recipe_that_is_none_is_refused_before_there_is_a_window(tmp_path: Path) -> None:
    for name, path in written(tmp_path / "files").items():
        why = reason_unopenable(str(path))
        assert len(why) < LONGEST, name
        assert not why or "holds no object" in why or "cannot be read" in why, name


def programs_run(*files: Path) -> tuple[int, dict[str, str]]:
    """Run files in a process of its own; return its exit code, and everything that it said, by object."""
    command = [sys.executable, "-m", "liven.app.main", "run", "--json", "--for", "0.5", *map(str, files)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert "Traceback" not in ended.stderr, ended.stderr
    told: dict[str, str] = {}
    for line in ended.stdout.splitlines():
        record = json.loads(line)
        record |= record.get("problem") or {}
        where = record.get("where") or [str(record.get("subject", "")).split("/")[0]]
        if record["kind"] != "loading":
            told[where[0]] = f"{told.get(where[0], '')} {record.get('what', '')}"
    return ended.returncode, told


@pytest.mark.slow
def test_every_recipe_is_run_with_its_sentence_and_changes_nothing(tmp_path: Path, home: Path) -> None:
    files = written(tmp_path / "files")
    before = tree(tmp_path / "files")
    code, told = programs_run(*files.values())
    assert code == 1
    for name, path in files.items():
        said = told.get(path.stem, "")
        assert RECIPES[name].run in said, f"{name}: {said}"
        assert len(said) < LONGEST, name
    assert tree(tmp_path / "files") == before
    made = tree(home) if home.exists() else {}
    assert not [name for name in made if "libraries" in name or name.startswith("data/objects")]


@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_file_is_opened_with_its_sentence(
    name: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    path = SPECIAL[name].make(tmp_path)
    code, told = checked(capsys, str(path))
    assert code in (1, 2)
    assert SPECIAL[name].said in told
    assert reason_unopenable(str(path))


@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_file_is_not_run(
    name: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    path = SPECIAL[name].make(tmp_path)
    parser = argparse.ArgumentParser()
    run.configure(parser)
    assert run.run(parser.parse_args([str(path), "--for", "0"])) in (1, 2)
    assert SPECIAL[name].said in "".join(capsys.readouterr())


CASES = [pytest.param(name, marks=pytest.mark.slow if one.runs else ()) for name, one in LIBRARIES.items()]


@pytest.mark.parametrize("name", CASES)
def test_a_library_is_refused_with_its_sentence_and_leaves_nothing(
    name: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "files").mkdir()
    path = LIBRARIES[name].make(tmp_path / "files")
    parser = argparse.ArgumentParser()
    library.configure(parser)
    code = library.run(parser.parse_args(["add", str(path)]))
    told = "".join(capsys.readouterr())
    assert code in (1, 2), told
    assert LIBRARIES[name].said in told
    assert len(told) < LONGEST
    assert LIBRARIES[name].runs or "Traceback" not in told
    store = home / "data" / "libraries"
    assert not [one for one in store.rglob("*") if one.is_file()]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_file_of_the_user_is_read_as_far_as_possible_and_never_rewritten(name: str, tmp_path: Path) -> None:
    one, folders = SETTINGS[name], UserFolders.below(tmp_path)
    path = one.write(folders)
    before = os.lstat(path).st_mode, one.data is None or path.read_bytes()
    said = one.read(folders)
    assert one.said in said
    assert len(said) < LONGEST
    assert not one.kept or (os.lstat(path).st_mode, one.data is None or path.read_bytes()) == before

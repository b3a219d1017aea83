"""`liven library`, as typed on the command line: add, list, verify, remove."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from liven.runtime.commands import check, library, show
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    Plain,
    Reference,
    Requirement,
)
from liven.runtime.reference.xml import write

MODULE = '''"""A box."""
from liven.types.declare import Exports, interface, proxy

LIBRARY = "ABCDEF0123456789ABCDEF0123456789`1"

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888`1", alias="example:box")
class Box:
    box: Exports[Post]
    def say(self, words: str) -> None: ...
'''
NAME = "ABCDEF0123456789ABCDEF0123456789"

pytestmark = pytest.mark.slow


def run(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    library.configure(parser)
    return library.run(parser.parse_args([str(word) for word in words]))


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "box.py"
    path.write_text(MODULE)
    return path


@pytest.fixture
def place(home: Path) -> Path:
    return home / "data" / "libraries" / NAME / "1"


def test_a_module_is_installed_listed_verified_and_removed(
    module: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("add", module) == 0
    assert (place / "data" / "box.py").is_file()
    out = capsys.readouterr().out
    assert out.startswith(f"installed\n{NAME}`1  box  sha256 ")
    assert "component example:box  11112222333344445555666677778888`1" in out
    assert run("add", module) == 0
    assert capsys.readouterr().out.startswith("installed already")
    assert run("list") == 0
    assert "example:box" in capsys.readouterr().out
    assert run("verify") == 0
    assert "sound, sha256" in capsys.readouterr().out
    assert run("remove", f"{{{NAME.lower()}}}") == 0
    assert not place.parent.exists()
    assert run("list") == 0
    assert "no library is installed" in capsys.readouterr().out


def test_an_id_is_printed_in_full_and_accepted_without_leading_zeros(
    module: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeros = "00" + NAME[2:]
    module.write_text(MODULE.replace(NAME, zeros))
    assert run("add", module) == 0
    assert capsys.readouterr().out.startswith(f"installed\n{zeros}`1  box  sha256 ")
    for spelt in (zeros, zeros.lstrip("0"), f"{zeros}`1", f"{zeros.lstrip('0')}`1"):
        assert run("verify", spelt) == 0
        assert capsys.readouterr().out.startswith(f"{zeros}`1: sound, sha256 ")
    assert run("list") == 0
    assert capsys.readouterr().out.startswith(f"{zeros}`1  box  ")
    assert run("remove", zeros.lstrip("0")) == 0
    assert capsys.readouterr().out == f"removed {zeros}`1\n"
    module.write_text(MODULE.replace(NAME, zeros.lstrip("0")))
    assert run("add", module) == 0
    assert capsys.readouterr().out.startswith(f"installed\n{zeros}`1  box  sha256 ")


def test_programs_read_the_same_as_json(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("add", module, "--json") == 0
    added = json.loads(capsys.readouterr().out)
    assert added.pop("new") is True
    assert run("list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [added]
    assert run("verify", NAME, "--json") == 0
    assert json.loads(capsys.readouterr().out) == [added]
    assert [row["alias"] for row in added["declares"]] == ["Post", "example:box"]


def test_code_that_cannot_be_imported_is_not_installed(
    module: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module.write_text(MODULE + "raise ValueError('seven')\n")
    assert run("add", module) == 1
    err = capsys.readouterr().err
    assert "importing it raised ValueError: seven" in err
    assert "Traceback" in err
    assert err.count("ValueError: seven") == 1
    assert len(err.splitlines()) <= 5
    assert not place.exists()


def test_the_error_for_a_module_without_a_library_name_shows_the_missing_line(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module.write_text(MODULE.replace("LIBRARY", "OTHER"))
    assert run("add", module) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "box.py does not say which library it is; write LIBRARY = " in line
    assert run("add", module, "--id", "box") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("--id is 'box'; it has to be NAMESPACE`VERSION")


def test_the_error_for_new_content_under_an_old_version_offers_both_remedies(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("add", module) == 0
    module.write_text(MODULE + "# another\n")
    assert run("add", module) == 1
    err = capsys.readouterr().err
    assert "give the new content a new version" in err
    assert f"liven library remove '{NAME}`1'" in err


def test_a_missing_pinned_library_is_one_error_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "box.liveobject"
    path.write_bytes(
        write(Reference("11112222333344445555666677778888", requires=(Requirement(NAME, 1, "ab" * 32),)))
    )
    parser = argparse.ArgumentParser()
    check.configure(parser)
    assert check.run(parser.parse_args([str(path)])) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert (
        f"{path}: line 3, column 3, in Object: no object 11112222333344445555666677778888 is known here"
        in line
    )
    assert "the one of sha256 abababababababab…, as `liven library list` shows it, is not installed" in line
    assert "`liven library add PATH` installs one" in line


@pytest.mark.parametrize(
    "text",
    [
        "import json\njson.dump = lambda told, stream: stream.write('{\"declares\": [{}]}')\n",
        "import json\njson.dump = lambda told, stream: stream.write('[' * 200000)\n",
    ],
)
def test_a_library_that_corrupts_its_trial_report_is_one_error_and_is_not_installed(
    module: Path, place: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    module.write_text(MODULE + text)
    assert run("add", module) == 1
    assert "corrupted the report of the child" in capsys.readouterr().err
    assert not place.exists()
    assert run("list") == 0
    assert run("verify") == 0
    assert "no library is installed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [("import box\n", "imports its own module 'box' absolutely"), ("def f(:\n", "is not valid Python")],
)
def test_a_simple_error_takes_one_line(
    module: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    module.write_text(MODULE + text)
    assert run("add", module) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_verify_finds_a_change_on_the_disk(
    module: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("add", module)
    (place / "data" / "box.py").write_text("changed")
    (place.with_name("2")).mkdir()
    capsys.readouterr()
    assert run("verify") == 1
    out = capsys.readouterr().out
    assert "its files are not those that were installed" in out
    assert f"{NAME}`2: metadata.xml" in out
    assert run("list") == 0
    assert "its files are not those that were installed" in capsys.readouterr().out
    assert run("add", module) == 1
    assert "remove it with `liven library remove`" in capsys.readouterr().err


def test_one_version_of_several_is_removed(
    module: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("add", module)
    run("add", module, "--id", f"{NAME}`2")
    assert run("remove", f"{NAME}`1") == 0
    assert [path.name for path in place.parent.iterdir()] == ["2"]


@pytest.mark.parametrize("words", [("remove", "1234"), ("verify", "1234"), ("remove", "notes")])
def test_naming_a_library_that_is_not_installed_is_an_error(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 1
    assert "is not installed" in capsys.readouterr().err


def test_a_missing_path_is_bad_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("add", tmp_path / "nothing") == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_the_environment_s_fault(
    module: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.parent.mkdir(exist_ok=True)
    home.write_text("a file where a folder should be")
    assert run("add", module) == 3
    assert "Not a directory" in capsys.readouterr().err


def test_a_file_is_shown_with_the_names_of_installed_libraries(
    module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "box.liveobject"
    file.write_bytes(write(Reference("11112222333344445555666677778888")))
    parser = argparse.ArgumentParser()
    show.configure(parser)
    arguments = parser.parse_args([str(file)])
    assert show.run(arguments) == 0
    assert capsys.readouterr().out.startswith("unknown  1111")
    run("add", module)
    capsys.readouterr()
    assert show.run(arguments) == 0
    assert capsys.readouterr().out.startswith("example:box  1111")


def test_a_file_whose_library_is_installed_checks_and_could_be_built(
    module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "box.liveobject"
    file.write_bytes(write(Reference("example:box")))
    parser = argparse.ArgumentParser()
    check.configure(parser)
    arguments = parser.parse_args([str(file), "--json"])
    assert check.run(arguments) == 1
    run("add", module)
    capsys.readouterr()
    assert check.run(arguments) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["dereferences"] is True


def test_files_that_need_two_versions_of_a_class_check_in_any_order(
    module: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("add", module) == 0
    second = MODULE.replace("`1", "`2") + "    def __init__(self, extra: str) -> None: ...\n"
    module.write_text(second)
    assert run("add", module) == 0
    capsys.readouterr()
    run("list", "--json")
    pins = {row["library"][-1]: row["sha256"] for row in json.loads(capsys.readouterr().out)}
    box = "11112222333344445555666677778888"
    inner = (Component("a", Reference(box)),)
    extra = (Parameter("extra", Plain("string", "x")),)
    things: dict[str, Object] = {
        "old": Composite(components=inner, requires=(Requirement(NAME, 1, pins["1"]),)),
        "new": Reference(box, extra),
        "wrong": Reference(box, extra, requires=(Requirement(NAME, 1, pins["1"]),)),
    }
    for name, thing in things.items():
        (tmp_path / f"{name}.liveobject").write_bytes(write(thing))
    for order in (("old", "new"), ("new", "old"), ("wrong", "new"), ("new", "wrong")):
        parser = argparse.ArgumentParser()
        check.configure(parser)
        files = [str(tmp_path / f"{name}.liveobject") for name in order]
        assert check.run(parser.parse_args(files)) == int("wrong" in order)
        said = capsys.readouterr().out
        assert said.count("has no parameter 'extra'") == int("wrong" in order)

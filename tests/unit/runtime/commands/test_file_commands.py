"""`liven show`, `liven check` and `liven fmt`, as typed on the command line."""

from __future__ import annotations

import argparse
import io
import json
import re
import stat
import sys
from pathlib import Path
from types import ModuleType

import pytest

from liven.runtime.commands import check, fmt, show
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import read, write

HERE = Path(__file__).parents[1] / "reference"
SOUND = HERE / "lookalikes" / "keys.liveobject"
FAULTY = HERE / "lookalikes" / "constraints.liveobject"
BROKEN = HERE / "broken" / "class_for_value.liveobject"


def run(command: ModuleType, *words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    code = command.run(parser.parse_args([str(word) for word in words]))
    assert isinstance(code, int)
    return code


def test_show_prints_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(show, SOUND) == 0
    assert "└─ from: 'QsmController'" in capsys.readouterr().out


def test_show_prints_the_tree_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(show, SOUND, "--json") == 0
    assert json.loads(capsys.readouterr().out)["children"][0]["role"] == "from"


def test_show_of_an_invalid_file_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(show, BROKEN) == 1
    assert "line 7, column 11" in capsys.readouterr().err


def test_show_of_a_file_that_is_not_there_is_bad_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(show, tmp_path / "nothing") == 2
    assert "No such file" in capsys.readouterr().err


def test_show_of_a_file_without_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    empty = HERE / "lookalikes" / "empty.liveobject"
    assert run(show, empty) == 0
    assert "holds no object" in capsys.readouterr().out
    assert run(show, empty, "--json") == 0
    assert json.loads(capsys.readouterr().out) is None


def test_show_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOUND.read_bytes())))
    assert run(show, "-") == 0
    assert "QsmController" in capsys.readouterr().out


def test_check_of_a_valid_file_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check, SOUND) == 0
    assert capsys.readouterr().out == f"{SOUND}: sound\n"


def test_check_lists_classes_without_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "window.liveobject"
    path.write_bytes(write(Reference("liven:ui-properties")))
    assert run(check, path) == 0
    assert "sound; known by name only, without code here: liven:ui-properties" in capsys.readouterr().out


def test_check_prints_every_fault_with_line_column_and_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check, FAULTY) == 1
    out = capsys.readouterr().out
    assert f"{FAULTY}: line 10, column 5, in Object/Parameter[interface]: object liven:text has no" in out
    assert "the parameter 'CheckpointClass' is not given" in out


def test_check_for_programs_has_a_row_for_every_file_whatever_is_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(check, "--json", SOUND, FAULTY, BROKEN, tmp_path / "nothing") == 2
    answer = json.loads(capsys.readouterr().out)
    keys = {"path", "parses", "valid", "unknown_ids", "types", "dereferences", "problem"}
    assert [set(row) for row in answer["files"]] == [keys] * 4
    flags = [(row["parses"], row["valid"], row["types"], row["dereferences"]) for row in answer["files"]]
    assert flags == [
        (True, True, True, True),
        (True, True, False, False),
        (False, False, False, False),
        (False, False, False, False),
    ]
    assert answer["files"][2]["problem"].startswith("line 7, column 11")
    assert "cannot be read" in answer["files"][3]["problem"]
    assert answer["totals"]["files"] == 4
    assert answer["totals"]["parses"] == 2


def test_a_file_of_any_size_is_refused_without_being_read_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "huge.liveobject"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)  # a hole: it takes no room on the disk
    for command in (check, show, fmt):
        assert run(command, path) == 1
        told = capsys.readouterr()
        assert "larger than the limit of 4.2 MB" in told.out + told.err


def test_check_lists_the_unknown_ids(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check, "--json", HERE / "lookalikes" / "tokens.liveobject") == 1
    assert json.loads(capsys.readouterr().out)["files"][0]["unknown_ids"] == [f"{0x37:032X}`1"]


def test_check_of_a_folder_reads_every_file_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check, "--corpus", HERE, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    count = len(list(HERE.rglob("*.liveobject")))
    assert answer["totals"]["files"] == count
    assert answer["totals"]["parses"] == answer["totals"]["valid"] == count - 1
    assert run(check, "--corpus", HERE) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"{count - 1} of {count} files read, {count - 1} valid, ")
    assert re.search(r", \d+ well typed, \d+ could be built here; \d+ unknown ids$", last)


def test_check_counts_one_unknown_id_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check, SOUND, HERE / "lookalikes" / "tokens.liveobject") == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "2 of 2 files read, 2 valid, 1 well typed, 1 could be built here; 1 unknown id"


def test_an_id_is_printed_with_all_its_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id_ = "00C1D0B52A94F4E0E8A3E4C6E0C2F7A1"
    path = tmp_path / "lost.liveobject"
    path.write_bytes(write(Reference(id_)))
    assert run(show, path) == 0
    assert f"unknown  {id_}" in capsys.readouterr().out
    assert run(check, path) == 1
    assert f"no object {id_} is known here" in capsys.readouterr().out
    assert id_ in path.read_text()


OWN = """
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="00C1D0B52A94F4E0E8A3E4C6E0C2F7A2", alias="own:box")
class Box:
    box: Exports[Post]
    def __init__(self, title: str) -> None: ...
    def say(self, words: str) -> None: ...
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A module that is not installed, beside a file that names its object."""
    path = tmp_path / "own.py"
    path.write_text(OWN)
    thing = Reference("00C1D0B52A94F4E0E8A3E4C6E0C2F7A2", (Parameter("title", Plain("string", "x")),))
    (tmp_path / "own.liveobject").write_bytes(write(thing))
    return path


def test_show_and_check_know_the_objects_of_a_module_that_is_named(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own.with_suffix(".liveobject")
    assert run(show, file) == 0
    assert "own:box" not in capsys.readouterr().out
    assert run(show, file, "--module", own) == 0
    assert "own:box" in capsys.readouterr().out
    assert run(check, file) == 1
    assert "install the library that declares it" in capsys.readouterr().out
    assert run(check, file, "--module", own) == 0
    assert capsys.readouterr().out == f"{file}: sound\n"


@pytest.mark.parametrize("command", [show, check])
@pytest.mark.parametrize(
    ("text", "words"),
    [("raise SystemExit(3)", "running it raised SystemExit: 3"), (None, "No such file or directory")],
)
def test_a_module_that_cannot_be_loaded_is_bad_use(
    own: Path, capsys: pytest.CaptureFixture[str], command: ModuleType, text: str | None, words: str
) -> None:
    module = own.with_name("bad.py")
    if text is not None:
        module.write_text(text)
    assert run(command, own.with_suffix(".liveobject"), "--module", module) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{module}: {words}" in told.err


def test_check_of_nothing_is_bad_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(check) == 2
    assert run(check, "--corpus", tmp_path / "nothing") == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "note.liveobject"
    path.write_bytes(SOUND.read_bytes())
    path.chmod(0o640)
    return path


def test_fmt_writes_the_one_layout_and_keeps_the_permissions(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(fmt, file) == 0
    assert file.read_bytes() == write(read(SOUND.read_bytes()))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert capsys.readouterr().out == f"{file}: formatted\n"
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]


def test_fmt_of_a_formatted_file_leaves_it_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(fmt, file)
    before = file.stat().st_mtime_ns
    capsys.readouterr()
    assert run(fmt, file) == 0
    assert file.stat().st_mtime_ns == before
    assert capsys.readouterr().out == ""


def test_fmt_check_changes_nothing_and_lists_the_files_to_format(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(fmt, "--check", file) == 1
    assert file.read_bytes() == SOUND.read_bytes()
    assert "would change" in capsys.readouterr().out
    run(fmt, file)
    assert run(fmt, "--check", file) == 0


def test_fmt_of_an_invalid_file_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.liveobject"
    path.write_bytes(BROKEN.read_bytes())
    assert run(fmt, path) == 1
    assert path.read_bytes() == BROKEN.read_bytes()
    assert "line 7, column 11" in capsys.readouterr().err


def test_fmt_follows_a_link_and_writes_what_it_leads_to(file: Path) -> None:
    link = file.with_name("link.liveobject")
    link.symlink_to(file)
    assert run(fmt, link) == 0
    assert link.is_symlink()
    assert file.read_bytes() == write(read(SOUND.read_bytes()))


def test_fmt_filters_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOUND.read_bytes())))
    assert run(fmt, "-") == 0
    assert capsys.readouterr().out.encode() == write(read(SOUND.read_bytes()))


def test_fmt_does_every_file_and_returns_the_worst_code(file: Path, tmp_path: Path) -> None:
    assert run(fmt, BROKEN.parent / "nothing", file) == 2
    assert file.read_bytes() == write(read(SOUND.read_bytes()))


def test_fmt_that_cannot_write_leaves_the_file_whole(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert run(fmt, file) == 3
    assert file.read_bytes() == SOUND.read_bytes()
    assert "nothing was changed" in capsys.readouterr().err
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]

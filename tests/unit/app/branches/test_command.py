"""`liven branches` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liven.app.main import main
from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.store.folder_lock import lock_folder
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.reference.model import Document, Parameter, Reference
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
Capture = pytest.CaptureFixture[str]


def play(root: Path, *programs: tuple[str, list[int]]) -> None:
    """Run programs with these folders at the same time, each incrementing the counter."""
    with Processes(root) as house:
        counters = []
        for name, _ in programs:
            process = house.process(name)
            made = process.build(CounterObject)
            channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
            process.connect(made, "channel", channel, "Channel")
            counters.append(made)
        house.advance(8)
        for made, (_, steps) in zip(counters, programs, strict=True):
            for step in steps:
                made.instance.add(step)
        house.advance(1)
        if len(programs) > 1:
            house.expect("another history of this channel won")
        for process in house.processes:
            process.close()
        house.advance(3)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The channel logs of a user, one with a branch."""
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    root = UserFolders.of_user({"LIVEN_HOME": str(tmp_path)}).data / "channels"
    play(root, ("0", [1, 1, 40]))
    play(root, ("1", [5, 2]))
    play(root, ("0", []), ("1", []))
    return root


def listed(capsys: Capture, *words: str) -> list[dict[str, object]]:
    assert main(["branches", *words, "--json"]) == 0
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return rows


def name_in(capsys: Capture) -> str:
    (row,) = listed(capsys)
    return str(row["name"])


def object_file(folder: Path, channel: str = NAME) -> Path:
    thing = Reference("liven:shared-counter", (Parameter("channel", channel_reference(channel)),))
    path = folder / "counter.liveobject"
    path.write_bytes(write(Document(thing)))
    return path


def test_branches_are_listed_with_their_operations(root: Path, capsys: Capture) -> None:
    name = name_in(capsys)
    assert main(["branches"]) == 0
    assert capsys.readouterr().out == f"{name}  2 operations missing from {NAME}\n"
    assert [row["missing"] for row in listed(capsys, NAME)] == [2]
    assert listed(capsys, "home/f/other") == []


def test_the_branches_of_the_object_in_a_file_are_listed(root: Path, tmp_path: Path, capsys: Capture) -> None:
    assert len(listed(capsys, str(object_file(tmp_path)))) == 1
    assert listed(capsys, str(object_file(tmp_path, "home/f/other"))) == []


def test_without_branches_a_message_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    assert main(["branches"]) == 0
    assert capsys.readouterr().out == "there are no branches here\n"


def test_a_branch_is_discarded_by_the_end_of_its_name(root: Path, capsys: Capture) -> None:
    end = name_in(capsys).rpartition("~")[2]
    assert main(["branches", "--discard", end]) == 0
    assert listed(capsys) == []
    assert main(["branches", "--discard", end]) == 1
    assert "only: none" in capsys.readouterr().err


def test_a_branch_used_by_a_running_program_is_left_alone(root: Path, capsys: Capture) -> None:
    name = name_in(capsys)
    slot = lock_folder(root / "1")
    assert slot is not None
    for what in ("--discard", "--merge"):
        assert main(["branches", what, name]) == 3
        assert "decide there" in capsys.readouterr().err
    assert [row["held"] for row in listed(capsys)] == [True]
    slot.close()
    assert len(listed(capsys)) == 1


@pytest.mark.parametrize("what", ["--open", "--merge", "--discard"])
@pytest.mark.parametrize("name", ["nothing", "", "home/f/counter", "\x1b[31m"])
def test_an_unknown_branch_is_refused(root: Path, what: str, name: str, capsys: Capture) -> None:
    assert main(["branches", what, name]) == 1
    told = capsys.readouterr().err
    assert "no branch" in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    "which",
    [
        "a/b",
        "a//c",
        "gone.liveobject",
        "/nowhere/gone.liveobject",
        pytest.param("x" * 5000, id="longer than the name of a file may be"),
        pytest.param("x" * 5000 + ".liveobject", id="a file of such a name"),
    ],
)
def test_an_argument_that_is_neither_channel_nor_file_is_bad_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str, capsys: Capture
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    assert main(["branches", which]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_holds_no_object_is_bad_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    (tmp_path / "x.liveobject").write_bytes(b"<no")
    assert main(["branches", str(tmp_path / "x.liveobject")]) == 2
    assert "holds no object" in capsys.readouterr().err


def test_a_branch_is_opened_with_the_file_of_its_object(
    root: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, opened = name_in(capsys), list[list[str]]()
    assert main(["branches", "--open", name]) == 2
    assert "needs the file" in capsys.readouterr().err

    def run(arguments: object) -> int:
        opened.append(list(getattr(arguments, "files")))  # noqa: B009  # a namespace has no types
        return 0

    monkeypatch.setattr("liven.app.open.command.run", run)
    path = object_file(tmp_path)
    assert main(["branches", str(path), "--open", name]) == 0
    ((file, link),) = opened
    assert file == str(path)
    assert link.startswith("liven:")


@pytest.mark.slow
def test_a_branch_is_merged_by_a_separate_program(root: Path, capsys: Capture) -> None:
    assert main(["branches", "--merge", name_in(capsys)]) == 0, capsys.readouterr().err
    assert listed(capsys) == []

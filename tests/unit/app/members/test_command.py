"""`liven members` on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from liven.app.main import main
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.exit_codes import BAD_USE, NO, OK
from liven.runtime.user_folders import UserFolders
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
PEOPLE = {1: "Ann", 2: "Bob"}
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The identity of Ann, whom the channel logs of Bob know."""
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    root = UserFolders.of_user({"LIVEN_HOME": str(tmp_path)}).data / "channels"
    with Processes(root) as processes:
        for name in ("1", "2"):
            process = processes.process(name)
            process.system.name_of = lambda node: PEOPLE.get(node, "")
            made = process.build(CounterObject)
            channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
            process.connect(made, "channel", channel, "Channel")
            processes.advance(3)
        driver = processes.processes[0].system.shared(object, NAME, object)._driver  # type: ignore[attr-defined]
        driver.close()
        processes.advance(1)
    shutil.rmtree(root / "1")
    return "Ann"


def listed(capsys: Capture, *words: str) -> list[dict[str, object]]:
    assert main(["members", *words, "--json"]) == OK
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return rows


def test_members_are_listed_with_their_names_and_when_they_were_here(ann: str, capsys: Capture) -> None:
    rows = listed(capsys)
    (absent,) = [row for row in rows if not row["own"]]
    assert (absent["name"], absent["channel"]) == (ann, NAME)
    assert main(["members", NAME]) == OK
    text = capsys.readouterr().out
    assert f"{NAME}  {str(absent['identity'])[:8]} Ann  last here 2" in text
    assert "this computer" in text
    assert listed(capsys, "home/f/other") == []


def test_an_unknown_member_cannot_be_forgotten(ann: str, capsys: Capture) -> None:
    assert main(["members", NAME, "--forget", "Cy"]) == NO
    assert "there is no member 'Cy' here, only: " in capsys.readouterr().err
    (own,) = [row for row in listed(capsys) if row["own"]]
    assert main(["members", NAME, "--forget", str(own["identity"])[:8]]) == NO
    assert "is this computer itself" in capsys.readouterr().err


def test_forgetting_needs_a_channel(ann: str, capsys: Capture) -> None:
    assert main(["members", "--forget", ann]) == BAD_USE
    assert "needs the CHANNEL" in capsys.readouterr().err
    assert main(["members", "a/b", "--forget", ann]) == BAD_USE


@pytest.mark.slow
def test_a_separate_program_forgets_nobody_while_nothing_waits(ann: str, capsys: Capture) -> None:
    assert main(["members", NAME, "--forget", ann]) == NO
    assert "no change waits for that member now" in capsys.readouterr().err

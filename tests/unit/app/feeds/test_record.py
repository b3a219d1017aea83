"""`liven feeds record`: what is recorded is read from the command line, and bad words are refused at once."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from liven.app.feeds import record
from liven.app.feeds.record import _facts, _Progress, _recipe, _target
from liven.app.network.recording_settings import objects_or_told, objects_to_recording
from liven.app.network.settings import SettingError
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, Record
from liven.liveobjects.feeds.recorder.log.limits import BadLimitError, bytes_of, seconds_of
from liven.liveobjects.feeds.recorder.log.log_thread import Condition, LogStatus
from liven.liveobjects.feeds.recorder.object import limits_of
from liven.liveobjects.feeds.recorder.recording import RecordingStatus
from liven.liveobjects.feeds.recorder.target.targets import Skipped
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.exit_codes import BAD_USE
from liven.runtime.problems import Problem
from liven.runtime.reference.model import Plain, Reference, name_of
from liven.runtime.reference.xml import read_object
from liven.runtime.user_folders import UserFolders

ROOT = Path(__file__).parents[4]
STATUS = RecordingStatus(
    Path("/feeds/board/one"),
    LogStatus(Condition.PAUSED, "the disk is full", records=1234, size=5_000_000, lost=7),
    channels=3,
    waiting=9,
    skipped=(Skipped("Desk/Diary", "liven:text", "it is encrypted"),),
    objections=("Bob",),
)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    record.configure(parser)
    return parser.parse_args(words)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UserFolders:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    return UserFolders.of_user({"LIVEN_HOME": str(tmp_path)})


def test_a_name_is_a_channel_of_the_network(folders: UserFolders) -> None:
    found = _target(parsed("board", "--feed", "f", "--network", "office"), folders)
    assert isinstance(found, Reference)
    values = {each.id: each.value for each in found.parameters}
    name = values["name"]
    assert isinstance(name, Plain)
    assert name.text.startswith("office/")
    assert name.text.endswith("/board")


def test_a_file_is_its_recipe(folders: UserFolders) -> None:
    path = ROOT / "samples" / "desk" / "note.liveobject"
    found = _target(parsed(str(path), "--feed", "f"), folders)
    assert found.id == "liven:text"


def test_desktop_is_the_desktop_of_the_person(folders: UserFolders) -> None:
    assert name_of(_target(parsed("desktop", "--feed", "f"), folders)) == "Welcome"


def test_a_missing_file_is_bad_use(folders: UserFolders, capsys: pytest.CaptureFixture[str]) -> None:
    assert record.run(parsed("no.liveobject", "--feed", "f")) == BAD_USE
    assert "no.liveobject: No such file" in capsys.readouterr().err


def test_a_span_that_cannot_be_read_is_refused_before_anything_starts(folders: UserFolders) -> None:
    with pytest.raises(BadLimitError, match="'soon' is not a span of time"):
        record.run(parsed("board", "--feed", "f", "--for", "soon"))


def test_the_recorder_gets_the_choices_of_the_person(folders: UserFolders) -> None:
    words = ["--include", "A*", "--include", "B", "--keep", "7d", "--limit", "2GB", "--title", "Weekly"]
    arguments = parsed("board", "--feed", "f", *words)
    target = _target(arguments, folders)
    made = _recipe(arguments, target)
    texts = {each.id: each.value.text for each in made.parameters if isinstance(each.value, Plain)}
    assert read_object(texts.pop("recipe")) == target
    assert texts == {
        "feed": "f",
        "title": "Weekly",
        "include": "A*;B",
        "limit": "2GB",
        "keep": "7d",
        "recorder": "recorder",
    }


def test_the_progress_as_json_has_everything_that_a_program_shows(capsys: pytest.CaptureFixture[str]) -> None:
    progress = _Progress("board", as_json=True)
    progress.show(STATUS)
    progress.end(STATUS)
    first, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {**first, "rate": 0.0} == _facts("board", STATUS, 0.0)
    assert (first["condition"], first["why"], first["lost"]) == ("paused", "the disk is full", 7)
    assert first["skipped"] == [{"object": "Desk/Diary", "why": "it is encrypted"}]
    assert last["doing"] == "recorded"


def test_the_last_line_says_what_was_recorded_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    _Progress("board", as_json=False).end(STATUS)
    assert capsys.readouterr().out == "1234 records and 5 MB in /feeds/board/one\n"


@pytest.mark.parametrize(
    ("text", "size"), [("500", 500), ("500MB", 500_000_000), ("1.5 gb", 1_500_000_000), ("2k", 2000)]
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert bytes_of(text) == size


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10min", 600), ("2h", 7200), ("1.5 d", 129_600)]
)
def test_spans_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


def test_what_is_kept_is_a_size_or_an_age() -> None:
    assert limits_of(keep="5GB").keep_bytes == 5_000_000_000
    assert limits_of(keep="7d").keep_seconds == 604_800
    assert limits_of("1MB", "2MB").floor == 2_000_000
    with pytest.raises(BadLimitError):
        limits_of(keep="many")


def test_the_setting_of_an_objection_is_a_truth_value(tmp_path: Path) -> None:
    assert not objects_to_recording(tmp_path)
    (tmp_path / "config.toml").write_text("[recording]\nobject = true\n")
    assert objects_to_recording(tmp_path)
    (tmp_path / "config.toml").write_text('[recording]\nobject = "yes"\n')
    with pytest.raises(SettingError, match="neither true nor false"):
        objects_to_recording(tmp_path)
    told: list[Problem] = []
    assert objects_or_told(tmp_path, told.append)
    assert "you object" in told[0].advice


@pytest.mark.parametrize(
    ("flags", "payload", "expected"),
    [
        (CHECKPOINT, b"\xc0", False),
        (CHECKPOINT, b"\x07", True),
        (CONTROL, b"\x01", False),
        (0, b"\xc0", True),
    ],
)
def test_a_recorder_that_is_alone_has_no_event(
    tmp_path: Path, flags: int, payload: bytes, expected: bool
) -> None:
    with LogWriter(tmp_path / "a") as log:
        log.append(Record(1, 1, "board", "c", "", "int64", 0, flags, payload))
    assert record.has_event(tmp_path / "a") is expected
    assert not record.has_event(tmp_path / "a", record.end_of_log(tmp_path / "a"))
    assert record.end_of_log(tmp_path / "none") == 0

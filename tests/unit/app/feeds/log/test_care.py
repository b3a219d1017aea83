"""`liven feeds verify`, `repair`, `export` and `import`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.app.feeds.progress import ProgressBar
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


@pytest.fixture
def damaged(log: Path) -> Path:
    file = segment_files(log)[0].path
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    return log


def test_verify_says_that_all_is_well(run: Run, log: Path, capsys: Out) -> None:
    assert run("verify", "airspace") == 0
    assert capsys.readouterr().out == "ann: 100 numbers from 0 on, no damage\n"
    assert run("verify", "airspace", "--json") == 0
    assert json.loads(capsys.readouterr().out) == []


def test_verify_names_file_byte_and_records(run: Run, damaged: Path, capsys: Out) -> None:
    assert run("verify", "airspace") == 1
    finding, summary = capsys.readouterr().out.splitlines()
    assert finding.startswith(f"{segment_files(damaged)[0].path}, byte 0: damaged: ")
    assert finding.endswith("(records 0 to 9)")
    assert summary == "ann: damage in 1 place, 10 records lost; `liven feeds repair` keeps the rest"
    assert run("verify", "airspace", "--json") == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["kind"], row["first"], row["end"], row["damage"]) == ("damaged", 0, 10, True)


def test_repair_keeps_the_rest(run: Run, damaged: Path, capsys: Out) -> None:
    assert run("repair", "airspace") == 0
    assert "ann: repaired; 10 records lost, damaged bytes are in" in capsys.readouterr().out
    assert run("verify", "airspace") == 0
    assert "repaired: a repair set these records aside (records 0 to 9)" in capsys.readouterr().out
    assert [sequence for sequence, _ in Log(damaged).records()] == list(range(10, 100))
    assert run("repair", "airspace") == 0
    assert capsys.readouterr().out == "ann: no damage, nothing was changed\n"


def test_repair_waits_for_nobody(run: Run, log: Path, capsys: Out) -> None:
    with LogWriter(log):
        assert run("repair", "airspace") == 3
    assert "is writing this log; stop it" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "mcap"])
def test_a_feed_goes_out_and_comes_back(
    run: Run, log: Path, feeds: Path, home: Path, ending: str, capsys: Out
) -> None:
    file = home / f"planes.{ending}"
    assert run("export", "airspace", file) == 0
    assert run("import", file, "copy", "--as", "bo") == 0
    assert capsys.readouterr().out == "100 records imported as copy/bo\n"
    assert list(Log(feeds / "copy" / "bo").records()) == list(Log(log).records())


def test_a_part_of_a_feed_goes_out(
    run: Run, log: Path, home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = ("--from", 90, "--object", "plane-0", "--format", "jsonl")
    assert run("export", "airspace", "-", *words) == 0
    found = [json.loads(line)["sequence"] for line in capfdbinary.readouterr().out.splitlines()]
    assert found == [90, 93, 96, 99]


def test_files_and_recordings_are_not_replaced_unasked(run: Run, log: Path, home: Path, capsys: Out) -> None:
    file = home / "planes.csv"
    file.write_text("mine")
    assert run("export", "airspace", file) == 2
    assert "exists already; name another file, or replace it with --force" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert run("export", "airspace", file, "--force") == 0
    assert run("import", file, "airspace", "--as", "ann") == 1
    assert "airspace/ann exists already" in capsys.readouterr().err
    assert run("import", file, "airspace", "--as", "ann", "--append") == 0
    assert Log(log).end == 200


def test_wrong_uses_are_refused(run: Run, log: Path, home: Path, capsys: Out) -> None:
    file = home / "some.jsonl"
    file.write_text('{"received": 1}')
    for words, says in (
        (("export", "airspace", "-"), "name the format of standard output by --format"),
        (("export", "airspace", home / "a.txt"), "its ending says no format"),
        (("import", home / "none.csv", "new"), "No such file"),
        (("import", home, "new"), "Is a directory; name a file in it"),
        (("import", file, ".."), "cannot be the name of a feed"),
        (("import", file, "new", "--as", "a/b"), "cannot be the name of a feed or a recorder"),
        (("verify", "nothing"), "there is no feed 'nothing'"),
    ):
        assert run(*words) == 2, words
        assert says in capsys.readouterr().err


def test_export_names_damage_and_writes_the_rest(run: Run, damaged: Path, home: Path, capsys: Out) -> None:
    assert run("export", "airspace", home / "out.jsonl") == 1
    assert "records 0 to 9 cannot be read" in capsys.readouterr().err
    assert len((home / "out.jsonl").read_text().splitlines()) == 90


def test_progress_for_a_program_is_lines_of_json(run: Run, log: Path, home: Path, capsys: Out) -> None:
    assert run("export", "airspace", home / "out.jsonl", "--json") == 0
    last = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (last["doing"], last["done"], last["of"], last["seconds_left"]) == ("exporting", 100, 100, 0.0)


def test_a_bar_prints_nothing_when_the_output_is_no_terminal(capsys: Out) -> None:
    bar = ProgressBar("testing")
    bar.show(1, 2)
    bar.end()
    assert capsys.readouterr().err == ""

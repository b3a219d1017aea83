"""`liven feeds ls`, `info` and `cat`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


def lines(capsys: Out) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_without_a_subcommand_the_subcommands_are_listed(run: Run, capsys: Out) -> None:
    assert run() == 0
    out = capsys.readouterr().out
    for name in ("ls", "info", "cat", "verify", "repair", "export", "import"):
        assert f"\n  {name} " in out


def test_an_unknown_subcommand_is_refused_with_the_nearest(run: Run, capsys: Out) -> None:
    with pytest.raises(SystemExit) as ended:
        run("verfy")
    assert ended.value.code == 2
    assert "there is no subcommand 'verfy'; did you mean 'verify'?" in capsys.readouterr().err


def test_a_subcommand_explains_itself(run: Run, capsys: Out) -> None:
    with pytest.raises(SystemExit) as ended:
        run("cat", "--help")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: liven feeds cat")


def test_ls_says_that_there_are_no_feeds(run: Run, capsys: Out) -> None:
    assert run("ls") == 0
    assert capsys.readouterr().out.startswith("no feeds below ")


def test_ls_shows_each_feed_with_its_size_and_last_record(
    run: Run, log: Path, feeds: Path, capsys: Out
) -> None:
    with LogWriter(feeds / "board" / "bo") as writer:
        assert run("ls") == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first.startswith("airspace  100 records, ")
        assert first.endswith("last 2023-11-14T22:14:59+00:00")
        assert second == "board  0 records, 0 bytes, recording"
        assert writer.end == 0
    assert run("ls", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["records"], row["recorders"]) for row in found] == [
        ("airspace", 100, ["ann"]),
        ("board", 0, ["bo"]),
    ]


def test_ls_goes_on_behind_a_feed_that_cannot_be_read(run: Run, log: Path, feeds: Path, capsys: Out) -> None:
    with LogWriter(feeds / "other" / "ann") as writer:
        writer.append(Record(1, 1, "o", "c", "a", "t", 1, 0, b""))
    (file,) = segment_files(feeds / "other" / "ann")
    file.path.rename(log / "00000000000000ff.seg")
    assert run("ls") == 0
    assert "it belongs to another log" in capsys.readouterr().out


def test_info_counts_by_name(run: Run, log: Path, feeds: Path, capsys: Out) -> None:
    write_description(
        feeds / "airspace",
        FeedDescription(title="Planes over Ulm", people=("Ann",), types={"p": TypeEntry("{}")}),
    )
    assert run("info", "airspace") == 0
    out = capsys.readouterr().out
    assert out.startswith("Planes over Ulm  (")
    assert "told of the recording, without objection: Ann" in out
    assert "ann: 100 records, numbers 0 to 99" in out
    assert "from 2023-11-14T22:13:20+00:00 to 2023-11-14T22:14:59+00:00" in out
    assert "in 1 file, " in out
    assert " an hour" in out
    assert "object: plane-0 34, plane-1 33, plane-2 33" in out
    assert "type p" not in out  # nothing of it is recorded
    assert run("info", "airspace/ann", "--json") == 0
    (recorder,) = json.loads(capsys.readouterr().out)["recorders"]
    assert recorder["checkpoints"] == 50
    assert recorder["by"]["author"] == {"ann": 50, "bo": 50}


def test_info_shows_ids_and_made_up_types_for_people(run: Run, feeds: Path, capsys: Out) -> None:
    state = "{items: list<text>}"
    types = {
        "liven:desktop-state": TypeEntry(state),
        "type-5aeb7200332d2e61": TypeEntry(f"optional<{state}>"),
    }
    write_description(feeds / "board", FeedDescription(types=types))
    channel, author = f"home/{'0A1B' * 8}/{'2C3D' * 8} 1 write", "e5" * 32
    with LogWriter(feeds / "board" / "ann") as writer:
        for number, name in enumerate(types):
            writer.append(Record(1, 1, "Welcome", channel, author, name, number, 0, b"\xc0"))
    assert run("info", "board") == 0
    out = capsys.readouterr().out
    assert "channel: home/0A1B0A…/2C3D2C… 1 write 2" in out
    assert "author: e5e5e5… 2" in out
    assert "type: liven:desktop-state 1, optional liven:desktop-state 1" in out
    assert [line for line in out.splitlines() if line.startswith("type ")] == [
        "type liven:desktop-state: {items: list<text>}"
    ]
    assert run("info", "board", "--json") == 0
    (recorder,) = json.loads(capsys.readouterr().out)["recorders"]
    assert recorder["by"]["channel"] == {channel: 2}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cat", "airspace", "--object", "plane-9"), "has the object 'plane-9'; did you mean 'plane-"),
        (("cat", "airspace", "--author", "anne"), "has the author 'anne'; did you mean 'ann'?"),
        (
            ("cat", "airspace", "--type", "q", "--channel", "zzz"),
            "the channel 'zzz' and the type 'q'; `liven",
        ),
        (("cat", "airspace", "--object", "plane-1", "--to", "1"), "is all of that; leave out an option"),
        (
            ("export", "airspace", "-", "--format", "csv", "--object", "x"),
            "has the object 'x'; `liven feeds info",
        ),
        (("asof", "airspace", "--object", "plain-1"), "has the object 'plain-1'; did you mean 'plane-1'"),
        (("replay", "airspace", "--max", "--object", "plain-1"), "did you mean 'plane-1'"),
        (
            ("replay", "airspace", "--max", "--print", "--author", "x*"),
            "has the author 'x*'; `liven feeds info",
        ),
    ],
)
def test_names_that_nothing_has_are_told(
    run: Run, log: Path, capsys: Out, words: tuple[str, ...], said: str
) -> None:
    assert run(*words) == 2
    assert said in capsys.readouterr().err


def test_info_takes_a_path_and_names_damage(run: Run, log: Path, capsys: Out) -> None:
    file = segment_files(log)[0].path
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    assert run("info", log.parent) == 1
    caught = capsys.readouterr()
    assert "90 records" in caught.out
    assert "records 0 to 9 cannot be read" in caught.err
    assert run("info", "airspace", "--quick") == 0


def test_cat_prints_decoded_records(run: Run, log: Path, capsys: Out) -> None:
    assert run("cat", "airspace", "--limit", 2) == 0
    first, second = lines(capsys)
    assert first["value"] == {"x": 0.0}
    assert second["flags"] == ["checkpoint"]
    assert (second["sequence"], second["object"], second["serial"]) == (1, "plane-1", 1)


def test_cat_takes_numbers_times_and_names(run: Run, log: Path, capsys: Out) -> None:
    def sequences(*words: object) -> list[object]:
        assert run("cat", "airspace", *words) == 0
        return [line["sequence"] for line in lines(capsys)]

    assert sequences("--from", 97) == [97, 98, 99]
    assert sequences("--from", "2023-11-14T22:14:58") == [98, 99]
    assert sequences("--to", "2023-11-14T22:13:22+00:00") == [0, 1]
    assert sequences("--object", "plane-1", "--author", "bo", "--to", 20) == [1, 7, 13, 19]
    assert sequences("--match", "e-[02]$", "--to", 4) == [0, 2, 3]
    assert sequences("--object", "plane-1", "--object", "plane-2", "--to", 4) == [1, 2]
    assert sequences("--from", 500) == []


def test_authors_are_shown_and_asked_for_by_name(run: Run, log: Path, feeds: Path, capsys: Out) -> None:
    write_description(feeds / "airspace", FeedDescription(other={"authors": {"ann": "Ann Lee"}}))
    assert run("cat", "airspace", "--limit", 2) == 0
    assert [line["author"] for line in lines(capsys)] == ["Ann Lee", "bo"]
    assert run("cat", "airspace", "--limit", 2, "--ids") == 0
    assert [line["author"] for line in lines(capsys)] == ["ann", "bo"]
    for asked in ("Ann Lee", "ann"):
        assert run("cat", "airspace", "--author", asked, "--to", 4) == 0
        assert [line["sequence"] for line in lines(capsys)] == [0, 2]
    assert run("info", "airspace") == 0
    assert "author: Ann Lee 50, bo 50" in capsys.readouterr().out
    write_description(feeds / "airspace", FeedDescription(other={"authors": {"ann": "Ann", "bo": "Ann"}}))
    assert run("info", "airspace") == 0
    assert "author: Ann 100" in capsys.readouterr().out
    assert run("info", "airspace", "--ids") == 0
    assert "author: ann 50, bo 50" in capsys.readouterr().out


def test_export_chooses_authors_by_name(run: Run, log: Path, feeds: Path, tmp_path: Path) -> None:
    write_description(feeds / "airspace", FeedDescription(other={"authors": {"ann": "Ann Lee"}}))
    assert run("export", "airspace", tmp_path / "a.jsonl", "--author", "Ann Lee") == 0
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert {row["author"] for row in rows if "author" in row} == {"ann"}  # a file keeps the ids


def test_cat_refuses_what_it_does_not_understand(run: Run, log: Path, capsys: Out) -> None:
    for words, says in (
        (("airspace", "--from", "noon"), "'noon' is neither a record's number nor a time"),
        (("airspace", "--limit", "few"), "'few' is not a number of records"),
    ):
        with pytest.raises(SystemExit):
            run("cat", *words)
        assert says in capsys.readouterr().err
    assert run("cat", "airspace", "--match", "(") == 2
    assert "'(' is not a regular expression" in capsys.readouterr().err
    assert run("cat", "airspce") == 2
    assert "there is no feed 'airspce'; did you mean 'airspace'?" in capsys.readouterr().err


def test_cat_shows_a_payload_that_is_no_value_of_its_type(run: Run, log: Path, capsys: Out) -> None:
    with LogWriter(log) as writer:
        writer.append(Record(1, 1, "o", "c", "a", "{x: float64}", 1, 0, b"\xa3abc"))
        writer.append(Record(1, 1, "o", "c", "a", "nobody:knows", 1, 0, b"\xc1"))
    assert run("cat", "airspace", "--from", 100) == 0
    bad, worse = lines(capsys)
    assert bad["payload"] == "o2FiYw=="
    assert "expected" in str(bad["error"])
    assert "it is not MessagePack" in str(worse["error"])
    assert run("cat", "airspace", "--from", 100, "--raw") == 0
    assert "error" not in lines(capsys)[0]


def test_cat_goes_on_behind_damage_and_says_so(run: Run, log: Path, capsys: Out) -> None:
    file = segment_files(log)[0].path
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    assert run("cat", "airspace") == 1
    caught = capsys.readouterr()
    assert len(caught.out.splitlines()) == 90
    assert "`liven feeds repair` sets it aside" in caught.err


def test_cat_names_the_recorder_if_there_are_several(run: Run, log: Path, feeds: Path, capsys: Out) -> None:
    with LogWriter(feeds / "airspace" / "bo") as writer:
        writer.append(Record(1, 1, "o", "c", "a", "t", 1, 0, b"\xc0"))
    assert run("cat", "airspace") == 0
    assert {line["recorder"] for line in lines(capsys)} == {"ann", "bo"}


def test_cat_ends_quietly_when_its_reader_is_gone(home: Path, log: Path) -> None:
    command = [sys.executable, "-m", "liven.app.main", "feeds", "cat", "airspace"]
    with LogWriter(log) as writer:
        writer.extend(Record(1, 1, "o", "c", "a", "t", n, 0, b"\xc0") for n in range(5000))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert '"sequence": 0' in program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == ""
    assert program.returncode == 0

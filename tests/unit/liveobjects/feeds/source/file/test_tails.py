"""The tails as objects: rows in order, faults with line numbers, restarts, no row lost between clients."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.source.file.csv_tail import CsvTail
from liven.liveobjects.feeds.source.file.lines_tail import LinesTail
from liven.liveobjects.feeds.source.formats.format_table import term
from liven.liveobjects.feeds.source.formats.records import Aircraft, Bar, Quote
from liven.runtime.capability import CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench
from liven.types.terms.value_types import INT64, TEXT, optional, record

ROW = record(n=INT64, note=optional(TEXT))


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.csv"


def rows(probe: Any) -> list[Any]:
    return [event[1] for event in probe.heard if event[0] == "set"]


def numbers(probe: Any) -> list[int]:
    return [row["n"] for row in rows(probe)]


def append(path: Path, text: str, encoding: str = "utf-8") -> None:
    with path.open("ab") as file:
        file.write(text.encode(encoding))


def test_a_csv_gives_its_rows_and_then_each_new_one(bench: Bench, path: Path) -> None:
    path.write_text("note,n\n,1\nb,2\nhalf")
    probe = bench.build(CsvTail, ROW, path=str(path)).probe("Endpoint")
    bench.advance(5)
    assert rows(probe) == [{"n": 1, "note": None}, {"n": 2, "note": "b"}]
    append(path, ",3\n")
    bench.advance(5)
    assert rows(probe)[2:] == [{"n": 3, "note": "half"}]
    reply = probe.call("get")
    assert reply.value() == {"n": 3, "note": "half"}


def test_a_bad_line_is_told_once_with_its_number_and_others_are_counted(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n1,a\nx,b\n3\n4,d\n" + "y,z\n" * 10)
    built = bench.build(CsvTail, ROW, path=str(path))
    probe = built.probe("Endpoint")
    bench.advance(10)
    assert numbers(probe) == [1, 4]
    assert [one.what for one in bench.problems] == [f"{path}, line 3: n is 'x', not a whole number"]
    bench.advance(60)
    assert bench.problems.pop().what == (
        f"11 rows were refused, the last at {path}, line 15: n is 'y', not a whole number"
    )
    bench.problems.clear()
    bench.advance(300)
    assert not bench.problems


def test_rotation_brings_a_new_heading(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n1,a\n")
    probe = bench.build(CsvTail, ROW, path=str(path)).probe("Endpoint")
    bench.advance(2)
    path.rename(path.with_suffix(".1"))
    path.write_text("note;n\nb;2\n")
    bench.advance(5)
    assert rows(probe) == [{"n": 1, "note": "a"}, {"n": 2, "note": "b"}]


def test_a_file_without_heading_has_its_columns_in_the_recipe(bench: Bench, path: Path) -> None:
    path.write_text("7,a\n8,b\n")
    probe = bench.build(CsvTail, ROW, path=str(path), columns="n,note").probe("Endpoint")
    bench.advance(2)
    assert numbers(probe) == [7, 8]


def test_reading_from_the_end_still_knows_the_heading(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n1,a\n")
    probe = bench.build(CsvTail, ROW, path=str(path), from_end=True).probe("Endpoint")
    bench.advance(2)
    append(path, "2,b\n")
    bench.advance(2)
    assert numbers(probe) == [2]


def test_a_missing_file_is_told_once_and_read_when_it_comes(bench: Bench, path: Path) -> None:
    probe = bench.build(CsvTail, ROW, path=str(path)).probe("Endpoint")
    bench.advance(20)
    [problem] = bench.problems
    assert problem.what == f"{path} cannot be read: No such file or directory"
    assert "tried again" in problem.advice
    bench.problems.clear()
    path.write_text("n,note\n1,a\n")
    bench.advance(2)
    assert numbers(probe) == [1]
    path.unlink()
    bench.advance(20)
    assert [one.what for one in bench.problems] == [f"there is no {path} any more"]
    bench.problems.clear()


def test_no_row_is_lost_between_two_clients_and_the_latest_is_told_at_once(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n" + "".join(f"{n},\n" for n in range(100)))
    built = bench.build(CsvTail, ROW, path=str(path), rate=100.0)
    first = built.probe("Endpoint")
    bench.advance(0.2)
    got = numbers(first)
    first.close()
    bench.advance(5)
    assert 0 < len(got) < 100
    second = built.probe("Endpoint")
    bench.advance(5)
    assert numbers(second) == [got[-1], *range(len(got), 100)]


def test_rows_come_no_faster_than_the_rate(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n" + "".join(f"{n},\n" for n in range(1000)))
    probe = bench.build(CsvTail, ROW, path=str(path), rate=100.0).probe("Endpoint")
    bench.advance(2)
    assert 100 <= len(rows(probe)) <= 250
    bench.advance(20)
    assert numbers(probe) == list(range(1000))


def test_a_restarted_object_goes_on_where_it_was(bench: Bench, path: Path, home: Path) -> None:
    path.write_text("n,note\n1,\n2,\n")
    built = bench.build(CsvTail, ROW, path=str(path), remember="plant.log")
    held = built.probe("Endpoint")
    bench.advance(2)
    assert numbers(held) == [1, 2]
    built.close()
    saved = home / "state" / "sources" / "plant.log.json"
    assert json.loads(saved.read_text())["line"] == 3
    assert saved.stat().st_mode & 0o777 == 0o600
    append(path, "3,\n")
    probe = bench.build(CsvTail, ROW, path=str(path), remember="plant.log").probe("Endpoint")
    bench.advance(2)
    assert numbers(probe) == [3]


@pytest.mark.parametrize("damage", ["", "[]", '{"path": 1}', '{"path": "PATH", "device": -1}', "\0"])
def test_a_damaged_memory_begins_at_the_beginning(bench: Bench, path: Path, home: Path, damage: str) -> None:
    path.write_text("n,note\n1,\n")
    saved = home / "state" / "sources" / "plant.json"
    saved.parent.mkdir(parents=True)
    saved.write_text(damage.replace("PATH", str(path)))
    probe = bench.build(CsvTail, ROW, path=str(path), remember="plant").probe("Endpoint")
    bench.advance(2)
    assert numbers(probe) == [1]


def test_other_encodings_are_read_and_wrong_bytes_named(bench: Bench, path: Path) -> None:
    path.write_bytes("n,note\n1,Zürich\n".encode("latin-1"))
    probe = bench.build(CsvTail, ROW, path=str(path), encoding="latin-1").probe("Endpoint")
    wrong = bench.build(CsvTail, ROW, path=str(path)).probe("Endpoint")
    bench.advance(2)
    assert rows(probe) == [{"n": 1, "note": "Zürich"}]
    assert rows(wrong) == []
    assert bench.problems.pop().what == f"{path}, line 2: byte 4 (0xfc) is not text in utf-8"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"encoding": "utf-16"}, "lines in utf-16 cannot be told apart"),
        ({"encoding": "klingon"}, "there is no encoding called 'klingon'"),
        ({"rate": 0.0}, "a rate is above 0"),
        ({"rate": float("nan")}, "a rate is above 0"),
        ({"format": "usgs"}, "do not fit"),
        ({"columns": "a,a"}, "two columns are called 'a'"),
        ({"remember": "../x"}, "is no name"),
        ({"path": "~nobody-of-this-name/x"}, "no user has this home folder"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_reason(
    bench: Bench, path: Path, values: dict[str, Any], told: str
) -> None:
    with pytest.raises(CallFailedError, match=told):
        bench.build(CsvTail, ROW, **{"path": str(path), **values})


def test_setting_the_stream_is_refused_once(bench: Bench, path: Path) -> None:
    path.write_text("n,note\n1,\n")
    probe = bench.build(CsvTail, ROW, path=str(path)).probe("Endpoint")
    probe.send("set", {"n": 1, "note": None})
    probe.send("set", {"n": 1, "note": None})
    assert bench.problems.pop().what == "a client set a value, but the rows of a source cannot be set"
    reply = probe.call("get")
    with pytest.raises(CallFailedError, match="no row has come yet"):
        reply.value()
    bench.advance(1)


def test_the_format_knows_the_columns_of_bars_and_quotes(bench: Bench, tmp_path: Path) -> None:
    bars, quotes = tmp_path / "bars.csv", tmp_path / "quotes.csv"
    bars.write_text("Date,Open,High,Low,Close,Adj Close,Volume\n2026-01-30,1,3,0.5,2,1.9,7\n")
    quotes.write_text("time,symbol,bid,ask\n2026-01-30T12:00:00Z,ABC,1.5,1.6\n")
    probes = [
        bench.build(CsvTail, term(Bar), path=str(bars), format="ohlc").probe("Endpoint"),
        bench.build(CsvTail, term(Quote), path=str(quotes), format="quotes").probe("Endpoint"),
    ]
    bench.advance(2)
    assert [rows(probe)[0]["at"] for probe in probes] == [1769731200_000_000, 1769774400_000_000]


def test_lines_are_json_values_or_documents_of_a_format(bench: Bench, tmp_path: Path) -> None:
    plain, states = tmp_path / "a.jsonl", tmp_path / "states.jsonl"
    plain.write_text('\ufeff{"n": 1}\n{"n": "x"}\nnonsense\n{"n": 2, "note": "ü"}\n')
    state = [
        "4b1814",
        None,
        "CH",
        None,
        5,
        None,
        None,
        None,
        True,
        None,
        None,
        None,
        None,
        None,
        None,
        False,
        0,
    ]
    states.write_text(
        "\n".join(json.dumps({"time": t, "states": [state, state, [1]]}) for t in (1, 2)) + "\n"
    )
    first = bench.build(LinesTail, ROW, path=str(plain)).probe("Endpoint")
    second = bench.build(LinesTail, term(Aircraft), path=str(states), format="opensky").probe("Endpoint")
    bench.advance(2)
    assert rows(first) == [{"n": 1, "note": None}, {"n": 2, "note": "ü"}]
    assert len(rows(second)) == 4
    assert [one.what for one in bench.problems] == [f"{plain}, line 2: n is 'x', not a whole number"]
    bench.problems.clear()


def test_a_tail_states_the_file_that_it_reads_and_its_rate() -> None:
    kinds = [one.kind for one in CsvTail.capabilities(path="/a")]
    assert kinds == [CapabilityKind.READ_FILE, CapabilityKind.SEND]
    assert LinesTail.capabilities(path="/a")[0].subject == "/a"

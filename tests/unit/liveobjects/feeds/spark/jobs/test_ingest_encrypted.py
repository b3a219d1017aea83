"""Encrypted channels in tables: rows with the key, a count without it, and the key nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.sealed_feed import (
    CHANNEL,
    CLEAR,
    KEY,
    OTHER,
    Sender,
    channel_key,
    clear_record,
    describe,
)
from tests.unit.liveobjects.feeds.spark.jobs.test_ingest import rows_of, state_of

from liven.liveobjects.feeds.key_file import kept_keys
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log


@pytest.fixture
def till(workplace: Any) -> Any:
    """Return the workplace with a feed of ten sealed records, a sealed state, and ten in clear."""
    describe(workplace.context.feeds / "till")
    workplace.record(records(Sender(), 1, 11), feed="till")
    return workplace


def records(ann: Sender, first: int, end: int) -> list[Record]:
    found = [ann.record(500 + first, "empty", is_state=True)]
    for number in range(first, end):
        found += [clear_record(number, f"notice {number}"), ann.record(number, f"{number} euros")]
    return found


def ingest(workplace: Any, *keys: str, **arguments: Any) -> None:
    with kept_keys(workplace.layout.root.parent / "runtime", [channel_key(one) for one in keys]) as path:
        workplace.ingest(feeds=["till"], keys=str(path) if keys else None, **arguments)


def values(workplace: Any, channel: str) -> list[str]:
    return sorted(row["value"] for row in rows_of(workplace, "text", "till") if row["channel"] == channel)


EUROS = sorted(["empty", *(f"{number} euros" for number in range(1, 11))])
NOTICES = sorted(f"notice {number}" for number in range(1, 11))


def test_without_a_key_a_line_says_how_many_stayed_sealed(till: Any) -> None:
    ingest(till)
    assert values(till, CLEAR) == NOTICES
    assert values(till, CHANNEL) == []
    assert state_of(till, "till").tables() == ["text"]
    (said,) = till.told("sealed")
    assert (said["rows"], said["channels"]) == (11, [CHANNEL])
    assert "`liven feeds ingest till --decrypt --key FILE` reads them" in said["text"]
    (done,) = till.told("done")
    assert done["rows"] == 10


@pytest.mark.slow
def test_with_the_key_sealed_records_are_rows_once(till: Any) -> None:
    for _ in range(2):
        ingest(till, KEY, first_rows=9, most_rows=20)
        assert values(till, CHANNEL) == EUROS
        assert values(till, CLEAR) == NOTICES
    assert [done["rows"] for done in till.told("done")] == [21, 0]
    assert not till.told("sealed")
    shown = till.sql(f"select type, author, value from text where channel = '{CHANNEL}' and serial = 7")
    assert shown == [["text", "ann", "7 euros"]]


@pytest.mark.slow
def test_the_key_may_come_later_and_new_records_with_it(till: Any) -> None:
    ingest(till)
    ingest(till, OTHER)
    assert "none of the keys opens them" in till.told("sealed")[-1]["text"]
    assert values(till, CHANNEL) == []
    till.record(records(Sender(), 11, 13), feed="till")
    ingest(till)
    ingest(till, OTHER, KEY)
    assert values(till, CHANNEL) == sorted([*EUROS, "empty", "11 euros", "12 euros"])
    assert len(values(till, CLEAR)) == 12
    assert [said["rows"] for said in till.told("sealed")] == [11, 11, 14]
    assert not till.told("warning")


def test_what_two_recorders_have_is_one_row(till: Any) -> None:
    log = Log(till.context.feeds / "till" / "a")
    till.record([record for _, record in log.records()], feed="till", recorder="b")
    ingest(till, KEY)
    assert values(till, CHANNEL) == EUROS
    assert values(till, CLEAR) == NOTICES
    assert sum(event["duplicates"] for event in till.told("batch")) == 21
    assert sum(event["quarantined"] for event in till.told("batch")) == 0


def test_a_forged_record_is_in_the_quarantine(till: Any) -> None:
    till.record([Sender(OTHER).record(20, "a million euros")], feed="till")
    ingest(till, KEY)
    (row,) = rows_of(till, "quarantine", "till")
    assert (row["reason"], row["detail"]) == ("undecodable", "it was sealed with another key")
    assert values(till, CHANNEL) == EUROS


def test_the_key_is_in_no_file_and_no_event(till: Any) -> None:
    ingest(till, KEY, OTHER)
    secrets = [KEY, OTHER, channel_key().key, channel_key(OTHER).key]
    words = [each.encode() for each in secrets] + [bytes.fromhex(each) for each in secrets]
    root: Path = till.layout.root.parent
    files = [path for path in root.rglob("*") if path.is_file()]
    assert any(path.suffix == ".json" for path in files)
    for path in files:
        assert not any(word in path.read_bytes() for word in words), path
    assert not any(word in json.dumps(till.events) for word in secrets)

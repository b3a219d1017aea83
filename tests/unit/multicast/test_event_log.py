from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.multicast import event_log
from liven.multicast.errors import MulticastError
from liven.multicast.group import (
    Demoted,
    Evicted,
    Expelled,
    Joined,
    Lagging,
    Left,
    Lost,
    Member,
    Missed,
    Sent,
    View,
)
from liven.multicast.shared_log import end_log, write_log


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    where = tmp_path / "logs" / "multicast.jsonl"
    handler = write_log(where)
    yield where
    end_log(handler)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def view(number: int, *nodes: int) -> View:
    return View(number, tuple(Member(node, 1, 1) for node in nodes))


def test_a_view_is_logged_with_joins_and_leaves(path: Path) -> None:
    told = event_log.EventLog()
    told.tell("chat", view(1, 5))
    told.tell("chat", view(2, 5, 6, 7))
    told.tell("chat", view(3, 6))
    first, second, third = lines(path)
    assert (first["event"], first["group"], first["came"], first["went"]) == ("view", "chat", [5], [])
    assert (second["view"], second["members"], second["came"]) == (2, 3, [6, 7])
    assert third["went"] == [5, 7]
    assert third["words"] == "group 'chat' has 1 member in view 3: 5, 7 went"
    assert third["level"] == "info"


def test_a_rejoined_group_is_logged_from_scratch(path: Path) -> None:
    told = event_log.EventLog()
    for event in (Joined(), view(1, 5, 6), Left(), view(9, 5)):
        told.tell("chat", event)
    assert [line["event"] for line in lines(path)] == ["joined", "view", "left", "view"]
    assert lines(path)[-1]["came"] == [5]


def test_events_that_cost_data_or_membership_are_warnings_with_numbers(path: Path) -> None:
    told = event_log.EventLog()
    told.tell("chat", Lost(4, 10, 12))
    told.tell("chat", Demoted())
    told.tell("", Evicted(-9))
    told.tell("chat", Expelled())
    told.tell("", Lagging())
    assert [(line["level"], line["event"]) for line in lines(path)] == [
        ("warning", "lost"),
        ("warning", "demoted"),
        ("warning", "evicted"),
        ("warning", "expelled"),
        ("warning", "lagging"),
    ]
    assert (lines(path)[0]["first"], lines(path)[0]["last"]) == (10, 12)
    assert lines(path)[2]["words"] == (
        "this node: evicted: it stood still for too long, and the others went on without it"
    )
    assert lines(path)[2]["code"] == -9


def test_missed_messages_are_logged_for_each_group_before_the_eviction(path: Path) -> None:
    told = event_log.EventLog()
    told.tell("chat", Missed(5, 120, 3))
    told.tell("chat", Missed(7, 4, 0))
    told.tell("map", Missed(5, 1, 0))
    assert lines(path) == []  # it goes on
    told.tell("", Evicted(-9))
    chat, other, out = lines(path)
    assert [each["event"] for each in (chat, other, out)] == ["missed", "missed", "evicted"]
    assert (chat["level"], chat["group"]) == ("warning", "chat")
    assert (chat["senders"], chat["first"], chat["known"]) == ([5, 7], [120, 4], [3, 0])
    assert chat["words"] == "group 'chat' lacks messages of these senders: 5 from 120 on, 7 from 4 on"
    told.tell("chat", Expelled())
    assert len(lines(path)) == 4  # nothing is logged twice


def test_missed_messages_of_one_group_are_logged_with_its_expulsion(path: Path) -> None:
    told = event_log.EventLog()
    told.tell("chat", Missed(5, 120, 1))
    told.tell("chat", Expelled())
    assert [each["event"] for each in lines(path)] == ["missed", "expelled"]


def test_thousands_of_groups_and_senders_are_a_short_log(path: Path) -> None:
    told = event_log.EventLog()
    for group in range(1000):
        for sender in range(1, 41):
            told.tell(f"room {group}", Missed(sender, 2, 0))
    told.tell("", Evicted(-9))
    found = lines(path)
    assert len(found) < 100
    assert sum(len(each) for each in path.read_text(encoding="utf-8").splitlines()) < 200_000
    first, rest = found[0], found[-2]
    assert str(first["words"]).endswith("32 from 2 on and 8 more senders")
    assert (first["senders"], first["more"]) == (list(range(1, 33)), 8)
    named = len(found) - 2
    assert rest["words"] == f"other groups lack messages of {(1000 - named) * 40} senders"
    assert told._missed == {}


def test_messages_are_not_logged(path: Path) -> None:
    event_log.EventLog().tell("chat", Sent(1, 1))
    assert lines(path) == []


def test_the_service_and_its_epochs_are_logged(path: Path) -> None:
    event_log.service_found()
    event_log.service_lost()
    event_log.service_strange("10.0.0.1:28199", "/key", "1:abcd")
    facts = {"epochs": 4, "generation": 2, "members": 3, "groups": 1}
    event_log.epoch(facts, 0)
    event_log.epoch(facts, 2)
    event_log.failed("no memory")
    told = lines(path)
    assert [line["event"] for line in told] == [
        "service",
        "service",
        "strange-service",
        "epoch",
        "epoch",
        "failed",
    ]
    assert [line["level"] for line in told] == ["info", "info", "warning", "info", "warning", "error"]
    assert told[4]["words"] == "epoch 2/4: 3 members, 1 group; 2 removed because they were silent"


def test_many_joins_at_once_are_a_short_line(path: Path) -> None:
    event_log.EventLog().tell("chat", view(1, *range(1, 1001)))
    (line,) = lines(path)
    assert line["words"] == "group 'chat' has 1000 members in view 1: 1, 2, 3, 4, 5 and 995 more came"


def test_unlogged_views_cost_nothing(caplog: pytest.LogCaptureFixture) -> None:
    told = event_log.EventLog()
    told.tell("chat", view(1, 5))
    assert caplog.records == []
    assert told._members == {}


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "wall").touch()
    with pytest.raises(MulticastError, match="cannot be written"):
        write_log(tmp_path / "wall" / "log")


def test_a_trace_and_odd_values_are_written_too(path: Path) -> None:
    try:
        raise ZeroDivisionError("odd")
    except ZeroDivisionError:
        logging.getLogger("liven.multicast").exception("failed", extra={"facts": {"where": Path("x")}})
    (line,) = lines(path)
    assert "ZeroDivisionError: odd" in str(line["trace"])
    assert line["where"] == "x"

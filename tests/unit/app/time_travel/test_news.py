"""The words for what others did while a person was away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tests.gui.feeds.recorded import board

from liven.app.time_travel.absence.news import News, news_of
from liven.liveobjects.feeds.history.comparison import Compared, PastObject
from liven.liveobjects.feeds.history.difference import Act, Difference
from liven.liveobjects.feeds.history.kinds import kind_of

NAMES = ("Ann", "Bea", "Cy")
NOW = int(datetime(2026, 11, 3, 15, 0, tzinfo=UTC).timestamp() * 1_000_000)


def compared(*differences: Difference, keys: tuple[str, ...] = ()) -> Compared:
    thing = board()
    kind: Any = kind_of(thing)
    then = PastObject((), thing, "board", kind, None, None, complete=True, keys=keys)
    return Compared(then, differences)


def told(*found: Compared) -> News:
    return news_of(found, NAMES, "Ann", NOW)


def test_nothing_is_no_news() -> None:
    assert told().sentence == ""


def test_what_one_did_oneself_is_no_news() -> None:
    assert told(compared(Difference("item:a", Act.MOVED, "Plan", people=("Ann",)))) == News()


def test_things_are_counted_once_and_people_are_named_the_latest_first() -> None:
    news = told(
        compared(
            Difference("item:a", Act.MOVED, "Plan", people=("Bea",), when=NOW - 2),
            Difference("item:gone", Act.REMOVED, "Old", people=("Cy",), when=NOW - 1),
        ),
        compared(Difference("text", Act.WRITTEN, "Plan", people=("Bea", "Ann"), when=NOW), keys=("a",)),
    )
    assert news.sentence == "While you were away: 1 thing changed and 1 removed, by Bea and Cy."
    assert list(news.parts) == ["a"]
    assert news.parts["a"].startswith("changed while you were away, by Ann and Bea, today ")


def test_something_deep_inside_is_a_change_of_the_thing_around_it() -> None:
    deep = compared(Difference("text", Act.WRITTEN, "Words", people=("Bea",)), keys=("shelf", "note"))
    assert told(deep).parts == {"shelf": "written while you were away, by Bea"}


def test_a_single_removal_is_one_thing() -> None:
    news = told(compared(Difference("item:a", Act.REMOVED, "Plan", people=("Bea",))))
    assert news.sentence == "While you were away: 1 thing removed, by Bea."


def test_an_author_without_a_name_is_not_named() -> None:
    stranger = compared(Difference("item:a", Act.ADDED, "Plan", people=("7492a72854e7",)))
    assert told(stranger).sentence == "While you were away: 1 thing changed."

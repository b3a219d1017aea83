"""The names of authors in recordings."""

from __future__ import annotations

from liven.liveobjects.feeds.author_names import AuthorNames, authors_of
from liven.liveobjects.feeds.description import FeedDescription


def test_authors_are_named_by_the_description() -> None:
    described = FeedDescription(other={"authors": {"a1": "Ann", "b2": 7, "c3": ""}})
    assert authors_of(described) == {"a1": "Ann"}
    assert authors_of(FeedDescription(other={"authors": ["x"]})) == {}


def test_an_author_without_a_name_is_shown_by_id() -> None:
    names = AuthorNames({"a1": "Ann"})
    assert (names.shown("a1"), names.shown("b2"), names.shown("")) == ("Ann", "b2", "")


def test_authors_are_asked_for_by_id_or_by_name() -> None:
    names = AuthorNames({"a1": "Ann", "b2": "Ann", "c3": "Bo"})
    assert names.ids_of(["Ann"]) == ["Ann", "a1", "b2"]
    assert names.ids_of(["c3"]) == ["c3"]
    assert names.ids_of([]) == []
    assert names.all_of("c3") == ("c3", "Bo")
    assert names.all_of("unknown") == ("unknown",)

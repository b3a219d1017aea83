"""Incompatible interfaces are refused before anything is bridged."""

from __future__ import annotations

from typing import Protocol

import pytest

from liven.types.declare import Ref, interface, object_type, provides, value
from liven.types.declare.annotation.shapes import InterfaceUse
from liven.types.fronts import Fronts, ValueMismatchError
from liven.types.fronts.compatibility import Compatibility


@value
class Short:
    text: str


@value
class Long:
    text: str
    unread: int = 0


@interface
class SaysShort(Protocol):
    def say(self, what: Short) -> None: ...


@interface
class HearsLong(Protocol):
    def say(self, what: Long) -> None: ...


@interface
class Whole(Protocol):
    def count(self, numbers: list[int]) -> None: ...


@interface
class Broken(Protocol):
    def count(self, numbers: list[float]) -> None: ...


@interface
class Asks(Protocol):
    def ask(self, what: str) -> int: ...


@interface
class AnswersWide(Protocol):
    def ask(self, what: str) -> float: ...


@interface
class Shouts(Protocol):
    def say(self, what: Long) -> None: ...
    def shout(self) -> None: ...


class Ear:
    """A server that must not receive anything."""

    def say(self, what: Long) -> None:
        raise AssertionError(what)

    def count(self, numbers: list[float]) -> None:
        raise AssertionError(numbers)

    def ask(self, what: str) -> float:
        raise AssertionError(what)


@pytest.mark.parametrize(
    ("caller", "server", "said"),
    [
        (Whole, Broken, "count"),
        (SaysShort, HearsLong, "unread"),
        (Shouts, HearsLong, "shout"),
        (Asks, AnswersWide, "int64"),
        (SaysShort, Broken, "say"),
    ],
)
def test_interfaces_that_do_not_fit_are_not_bridged(caller: type, server: type, said: str) -> None:
    fronts = Fronts()
    with pytest.raises(ValueMismatchError) as caught:
        fronts.bridge(caller, server, Ear())
    text = str(caught.value)
    assert text.startswith(
        f"{__name__}.{server.__name__} cannot serve the calls of {__name__}.{caller.__name__}"
    )
    assert said in text
    assert "✗" in text
    assert fronts.made == 0


def test_extra_fields_and_events_are_compatible() -> None:
    heard: list[object] = []

    class Listener:
        def say(self, what: Short) -> None:
            heard.append(what)

    Fronts().bridge(HearsLong, SaysShort, Listener()).say(Long("x", 3))
    assert heard == [Short("x")]


def test_a_pair_is_compared_once_and_at_most_so_many_are_kept() -> None:
    fits, asked = Compatibility(most=1), list[str]()
    plain = fits._answer
    fits._answer = lambda *pair: (asked.append(pair[1].cls.__name__), plain(*pair))[1]  # type: ignore[method-assign, func-returns-value]
    for _ in range(3):
        fits.demand(InterfaceUse(HearsLong), InterfaceUse(SaysShort))
    assert asked == ["SaysShort"]
    fits.demand(InterfaceUse(Shouts), InterfaceUse(Shouts))
    fits.demand(InterfaceUse(SaysShort), InterfaceUse(SaysShort))
    assert asked == ["SaysShort"]
    fits.demand(InterfaceUse(Asks), InterfaceUse(Again))
    fits.demand(InterfaceUse(HearsLong), InterfaceUse(SaysShort))
    assert asked == ["SaysShort", "Again", "SaysShort"]


@interface
class Again(Protocol):
    def ask(self, what: str) -> int: ...


@object_type(provides("of-an-author", "whatever it says"))
class Odd:
    pass


@interface
class Passes(Protocol):
    def take(self, it: Ref[Odd]) -> None: ...


@interface
class Takes(Protocol):
    def take(self, it: Ref[Odd]) -> None: ...


def test_an_authors_formalism_does_not_prevent_a_bridge() -> None:
    taken: list[object] = []

    class Hand:
        def take(self, it: Ref[Odd]) -> None:
            taken.append(it.xml)

    Fronts().bridge(Passes, Takes, Hand()).take(Ref("<ref/>"))
    assert taken == ["<ref/>"]

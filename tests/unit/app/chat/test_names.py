"""Names in a chat, made distinct where two members have the same."""

from __future__ import annotations

import getpass

import pytest

from liven.app.chat.names import Names, user_name


def test_different_names_are_shown_unchanged() -> None:
    names = Names("ann")
    names.here((1, 2), 1)
    assert names.told(2, b"bob\0hello") == "bob: hello"
    assert names.told(1, b"ann\0hello") == "ann: hello"
    assert names.is_own(1)
    assert not names.is_own(2)


def test_two_members_with_the_same_name_get_numbers() -> None:
    names = Names("ann")
    names.here((1, 2, 3), 1)
    assert names.told(2, b"ann\0hello") == "ann (2): hello"
    assert names.told(3, b"bob\0hello") == "bob: hello"
    assert names.own == "ann (1)"
    names.here((1, 3), 1)
    assert names.own == "ann"
    assert names.told(1, b"ann\0alone") == "ann: alone"


def test_control_characters_are_replaced() -> None:
    assert (
        Names("ann").told(2, b"b\x1bob\0\x1b[31m")
        == "b\N{REPLACEMENT CHARACTER}ob: \N{REPLACEMENT CHARACTER}[31m"
    )
    assert Names("ann").told(2, b"no name") == "?: no name"


def test_an_unknown_user_is_shown_as_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert user_name().startswith("user ")

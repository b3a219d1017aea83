"""Names in a chat: as people give them, told apart where two have the same."""

from __future__ import annotations

import getpass

import pytest

from liven.app.chat.names import Names, user_name


def test_names_that_differ_are_shown_as_they_are() -> None:
    names = Names("ann")
    names.here((1, 2), 1)
    assert names.told(2, b"bob\0hello") == "bob: hello"
    assert names.told(1, b"ann\0hello") == "ann: hello"
    assert names.is_own(1)
    assert not names.is_own(2)


def test_two_members_of_one_name_are_told_apart_while_both_are_here() -> None:
    names = Names("ann")
    names.here((1, 2, 3), 1)
    assert names.told(2, b"ann\0hello") == "ann (2): hello"
    assert names.told(3, b"bob\0hello") == "bob: hello"
    assert names.own == "ann (1)"
    names.here((1, 3), 1)
    assert names.own == "ann"
    assert names.told(1, b"ann\0alone") == "ann: alone"


def test_what_would_move_the_cursor_is_shown_as_a_sign() -> None:
    assert (
        Names("ann").told(2, b"b\x1bob\0\x1b[31m")
        == "b\N{REPLACEMENT CHARACTER}ob: \N{REPLACEMENT CHARACTER}[31m"
    )
    assert Names("ann").told(2, b"no name") == "?: no name"


def test_a_user_whom_the_machine_does_not_know_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert user_name().startswith("user ")

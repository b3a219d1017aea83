"""The words of the chip that says what an object waits for."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.members.confirmation import NOT_YET, Confirmation, confirmation_text


@pytest.mark.parametrize(
    ("awaited", "words"),
    [
        ((), ""),
        (("Ann",), "Waiting for Ann’s computer"),
        (("Ann", "Bob"), "Waiting for Ann’s and Bob’s computers"),
        (("",), "Waiting for another computer"),
        (("Ann", ""), "Waiting for 2 computers"),
        (("Ann", "Bob", "Cy"), "Waiting for 3 computers"),
    ],
)
def test_the_owners_of_awaited_computers_are_named(awaited: tuple[str, ...], words: str) -> None:
    assert confirmation_text([Confirmation(awaited=awaited)]) == words


def test_several_channels_name_each_person_once() -> None:
    found = [Confirmation(awaited=("Ann",)), Confirmation(), Confirmation(awaited=("Ann",))]
    assert confirmation_text(found) == "Waiting for Ann’s computer"


def test_without_contact_nothing_is_confirmed_yet() -> None:
    assert confirmation_text([Confirmation(alone=True), Confirmation()]) == NOT_YET
    assert confirmation_text([Confirmation(alone=True), Confirmation(awaited=("Ann",))]) != NOT_YET
    assert confirmation_text([]) == ""

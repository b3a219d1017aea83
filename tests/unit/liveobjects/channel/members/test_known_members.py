"""Names of members are kept with the log, so that an absent person can still be named."""

from __future__ import annotations

from liven.liveobjects.channel.history import Recovery, Voter
from liven.liveobjects.channel.members.known_members import KNOWN_MOST, KnownMembers, read_members
from liven.liveobjects.channel.ordering import EntryKind, Seat

OWN, ANN, BOB = (bytes([place]) * 16 for place in (1, 2, 3))


def seat(node: int, identity: bytes) -> Seat:
    return Seat(node, identity, Voter(identity), EntryKind.STAYS, True, Recovery.NOTHING, 0)


def nameless(_: int) -> str:
    return ""


def test_an_absent_person_is_named_after_a_restart() -> None:
    stored: list[bytes] = []
    names = {1: "Me", 2: "Ann", 3: ""}
    before = KnownMembers(b"", OWN, names.__getitem__, stored.append)
    before.seated((seat(1, OWN), seat(2, ANN), seat(3, BOB)))
    before.seated((seat(1, OWN),))
    after = KnownMembers(stored[-1], OWN, nameless, stored.append)
    assert after.described(ANN).startswith("Ann (02020202), last here 2")
    assert after.described(BOB).startswith("the computer 03030303, last here 2")
    assert after.described(bytes(16)) == "the computer 00000000"
    assert after.called(ANN) == "Ann (02020202)"


def test_a_name_that_is_shown_later_is_found() -> None:
    stored: list[bytes] = []
    names = {2: ""}
    members = KnownMembers(b"", OWN, lambda node: names.get(node, ""), stored.append)
    members.seated((seat(1, OWN), seat(2, ANN)))
    names[2] = "Ann"
    members.look(100.0)
    assert read_members(stored[-1])[ANN].name == "Ann"


def test_a_name_stays_known_when_its_owner_is_gone() -> None:
    names = {2: "Ann"}
    members = KnownMembers(b"", OWN, lambda node: names.get(node, ""), lambda _: None)
    members.seated((seat(1, OWN), seat(2, ANN)))
    names.clear()
    members.seated((seat(1, OWN),))
    assert members.called(ANN).startswith("Ann (")


def test_no_more_members_are_kept_than_the_limit() -> None:
    stored: list[bytes] = []
    members = KnownMembers(b"", OWN, nameless, stored.append)
    for number in range(KNOWN_MOST + 10):
        members.seated((seat(1, OWN), seat(2, number.to_bytes(16, "big"))))
    assert len(read_members(stored[-1])) == KNOWN_MOST


def test_unreadable_names_are_dropped() -> None:
    for kept in (b"\xc1", b"\x91\x01", b"\x91\x93\xc4\x01a\xa1b\x01"):
        assert read_members(kept) == {}

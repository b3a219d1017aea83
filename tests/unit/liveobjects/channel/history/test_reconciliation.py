"""The rules of meeting histories hold for any histories, and for the cases in the tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import (
    BEGINNING,
    Claim,
    Fork,
    Operation,
    Position,
    Recovery,
    Session,
    Standing,
    Voter,
    chained,
    chained_all,
    choose,
    epoch_identity,
    latest_members,
    recovery,
    standing,
)
from liven.liveobjects.channel.history.quorum import has_majority

AUTHOR = bytes(16)
people = st.lists(st.integers(0, 9).map(lambda n: bytes([n]) * 16), unique=True, max_size=8).map(tuple)


@dataclass(frozen=True)
class History:
    """A whole history for tests: its operations, and how many of them were stable."""

    done: tuple[bytes, ...]
    main: bool
    stable: int

    def chain(self, number: int) -> bytes:
        chain = BEGINNING.chain
        for index in range(number):
            chain = chained(chain, AUTHOR, index + 1, self.done[index])
        return chain

    def position(self, number: int) -> Position:
        return Position(bytes(16), number, self.chain(number))

    def claim(self) -> Claim:
        return Claim(self.position(len(self.done)), self.main, self.position(self.stable))


@st.composite
def histories(draw: st.DrawFn) -> History:
    done = tuple(draw(st.lists(st.sampled_from([b"a", b"b"]), max_size=5)))
    return History(done, draw(st.booleans()), draw(st.integers(0, len(done))))


def is_prefix(of: list[History], a: int, b: int) -> bool:
    return of[b].done[: len(of[a].done)] == of[a].done


def keeps_stable(of: list[History], a: int, b: int) -> bool:
    return of[b].done[: of[a].stable] == of[a].done[: of[a].stable]


def chosen(of: list[History], votes: list[bool] | None = None) -> History:
    claims = [each.claim() for each in of]
    return of[
        choose(claims, lambda a, b: is_prefix(of, a, b), lambda a, b: keeps_stable(of, a, b), votes or [])
    ]


@given(st.lists(histories(), min_size=1, max_size=4))
def test_the_choice_of_a_history_does_not_depend_on_the_order_of_claims(of: list[History]) -> None:
    tips = {chosen(list(order)).done for order in itertools.permutations(of)}
    assert len(tips) == 1


@given(st.lists(histories(), min_size=1, max_size=4))
def test_the_winner_is_never_a_prefix_of_a_loser(of: list[History]) -> None:
    best = chosen(of).done
    assert not any(len(each.done) > len(best) and each.done[: len(best)] == best for each in of)


def are_forked(one: History, other: History) -> bool:
    return not (is_prefix([one, other], 0, 1) or is_prefix([one, other], 1, 0))


def lack_nothing(one: History, other: History) -> bool:
    """True if each history has all that is confirmed in the other."""
    return keeps_stable([one, other], 0, 1) and keeps_stable([one, other], 1, 0)


@given(histories(), histories())
def test_a_history_never_loses_its_confirmed_operations_to_one_that_has_none(
    one: History, other: History
) -> None:
    pair = [one, other]
    if are_forked(one, other) and keeps_stable(pair, 1, 0) and not keeps_stable(pair, 0, 1):
        assert chosen(pair) == one
        assert chosen(pair, [False, True]) == one


@given(st.lists(histories(), min_size=2, max_size=4))
def test_the_winner_has_the_most_of_what_anybody_knows_to_be_confirmed(of: list[History]) -> None:
    def confirmed(place: int) -> int:
        return max(each.stable for a, each in enumerate(of) if keeps_stable(of, a, place))

    best = of.index(chosen(of))
    assert confirmed(best) == max(map(confirmed, range(len(of))))


@given(histories(), histories())
def test_a_forked_side_epoch_never_wins_over_a_main_one_that_lacks_nothing(
    one: History, other: History
) -> None:
    if are_forked(one, other) and lack_nothing(one, other) and one.main and not other.main:
        assert chosen([one, other]) == one


@given(histories(), histories())
def test_a_member_of_the_latest_session_wins_if_nothing_else_is_known(one: History, other: History) -> None:
    if are_forked(one, other) and lack_nothing(one, other):
        assert chosen([one, other], [True, False]) == one


@given(histories(), histories())
def test_of_two_forked_main_epochs_the_one_with_more_stable_operations_wins(
    one: History, other: History
) -> None:
    if are_forked(one, other) and not lack_nothing(one, other) and one.stable > other.stable:
        assert chosen([one, other]) == one


def test_choosing_without_claims_is_an_error() -> None:
    with pytest.raises(ValueError, match="no history"):
        choose([], lambda *_: True, lambda *_: True)


@pytest.mark.parametrize(
    ("fork", "expected"),
    [
        (Fork(prefix=True, stable_kept=True), Recovery.NOTHING),
        (Fork(prefix=False, stable_kept=True), Recovery.SUBMIT_AGAIN),
        (Fork(prefix=False, stable_kept=False), Recovery.BRANCH),
    ],
)
def test_stable_operations_are_never_submitted_again_silently(fork: Fork, expected: Recovery) -> None:
    assert recovery(fork) is expected


def voters(present: Iterable[bytes]) -> list[Voter]:
    return [Voter(each) for each in present]


@given(people, st.sets(st.integers(0, 9).map(lambda n: bytes([n]) * 16)))
def test_of_the_two_sides_of_a_cut_at_most_one_has_the_majority(
    members: tuple[bytes, ...], side: set[bytes]
) -> None:
    session = Session(1, members)
    other = set(members) - side
    assert not members or has_majority(session, side) != has_majority(session, other)


@given(people, people, people, st.integers(0, 9))
def test_two_sides_never_both_continue_even_with_different_sessions(
    first: tuple[bytes, ...], second: tuple[bytes, ...], side: tuple[bytes, ...], knows: int
) -> None:
    """Side one knows that the second session is stable; the other has it as an attempt, as each of its
    members must that recorded it. Were it unknown to all of the other side, it could not be stable."""
    one, two = Session(1, first), Session(2, second)
    here = set(side)
    there = (set(first) | set(second)) - here
    if not first or not second or not there & set(second):
        return
    knowing = standing(two, [], voters(here)) is Standing.CONTINUES
    guessing = standing(one, [two], voters(there)) is Standing.CONTINUES
    assert not (knowing and guessing)


def test_half_of_a_session_continues_only_with_its_oldest_member() -> None:
    oldest, younger = b"o" * 16, b"y" * 16
    both = Session(1, (oldest, younger))
    assert standing(both, [], voters({oldest})) is Standing.CONTINUES
    assert standing(both, [], voters({younger})) is Standing.TENTATIVE


def test_attempts_before_the_stable_session_do_not_count() -> None:
    old, new = Session(1, (b"a" * 16, b"b" * 16, b"c" * 16)), Session(2, (b"a" * 16,))
    assert standing(new, [old], voters({b"a" * 16})) is Standing.CONTINUES


def test_an_attempt_whose_members_are_gone_keeps_the_rest_from_continuing() -> None:
    everybody = Session(1, tuple(bytes([n]) * 16 for n in range(5)))
    attempt = Session(2, everybody.members[:3])
    rest = set(everybody.members[2:])
    assert standing(everybody, [], voters(rest)) is Standing.CONTINUES
    assert standing(everybody, [attempt], voters(rest)) is Standing.TENTATIVE


@given(st.lists(st.binary(max_size=4), max_size=5), st.lists(st.binary(max_size=4), max_size=5))
def test_equal_chains_mean_equal_histories(one: list[bytes], other: list[bytes]) -> None:
    chains = [History(tuple(each), True, 0).chain(len(each)) for each in (one, other)]
    assert (chains[0] == chains[1]) == (one == other)


def test_the_chain_covers_author_number_and_payload() -> None:
    plain = Operation(AUTHOR, 1, b"x")
    others = [plain._replace(author=b"z" * 16), plain._replace(number=2), plain._replace(payload=b"y")]
    hashes = {chained(BEGINNING.chain, *each) for each in [plain, *others]}
    assert len(hashes) == 4


def test_an_epochs_identity_depends_on_view_parent_and_kind() -> None:
    parent = Position(b"e" * 16, 7, b"c" * 16)
    names = {
        epoch_identity(b"r", parent, main=True),
        epoch_identity(b"r", parent, main=False),
        epoch_identity(b"s", parent, main=True),
        epoch_identity(b"r", BEGINNING, main=True),
    }
    assert len(names) == 4
    assert epoch_identity(b"r", parent, main=True) == epoch_identity(b"r", parent, main=True)


@given(st.lists(st.binary(max_size=20), max_size=10), st.integers(1, 2**40), st.integers(0, 10))
def test_hashes_of_a_run_do_not_depend_on_where_it_is_cut(
    payloads: list[bytes], first: int, cut: int
) -> None:
    one_by_one, chain = [], bytes(16)
    for number, payload in enumerate(payloads, first):
        chain = chained(chain, AUTHOR, number, payload)
        one_by_one.append(chain)
    begun = chained_all(bytes(16), AUTHOR, first, payloads[:cut])
    rest = chained_all(begun[-1] if begun else bytes(16), AUTHOR, first + len(begun), payloads[cut:])
    assert begun + rest == one_by_one


ANN, BOB, CY, NEW = (name * 16 for name in (b"a", b"b", b"c", b"n"))
"""`NEW` is what Ann's replica calls itself after its disk was restored."""


def test_a_replica_that_lost_its_memory_does_not_vote_for_its_former_self() -> None:
    session = Session(1, (ANN, BOB, CY))
    assert standing(session, [], voters([ANN, BOB])) is Standing.CONTINUES
    assert standing(session, [], [Voter(NEW, (ANN,)), Voter(BOB)]) is Standing.TENTATIVE


def test_it_counts_again_when_all_are_there_who_may_know_more() -> None:
    session = Session(1, (ANN, BOB))
    assert standing(session, [], voters([BOB])) is Standing.TENTATIVE, "Ann is the oldest"
    assert standing(session, [], [Voter(NEW, (ANN,)), Voter(BOB)]) is Standing.RESUMES
    assert standing(session, [Session(2, (BOB, CY))], [Voter(NEW, (ANN,)), Voter(BOB)]) is Standing.RESUMES
    assert standing(session, [Session(2, (CY, BOB))], [Voter(NEW, (ANN,)), Voter(BOB)]) is Standing.TENTATIVE


def test_a_copy_never_counts_as_an_original_that_works_beside_it() -> None:
    assert standing(Session(1, (ANN, NEW)), [], [Voter(NEW, (ANN,))]) is Standing.TENTATIVE


def test_of_tentative_histories_the_one_with_more_of_a_main_epoch_wins() -> None:
    """Its operations may be confirmed by members that are gone for good."""
    short = Claim(Position(bytes(16), 3, bytes(16)), False, BEGINNING, main_number=2)
    long = Claim(Position(bytes(16), 9, bytes(16)), False, BEGINNING)
    assert choose([short, long], lambda *_: False, lambda *_: True) == 0
    assert choose([long, short], lambda *_: False, lambda *_: True) == 1


def test_operations_that_a_main_epoch_found_count_like_its_own() -> None:
    """They may be confirmed before it has an operation."""
    found = Claim(Position(bytes(16), 9, bytes(16)), False, BEGINNING, main_number=9)
    ordered = Claim(Position(bytes(16), 8, bytes(16)), True, BEGINNING, main_number=8)
    assert choose([found, ordered], lambda *_: False, lambda *_: True) == 0


def test_the_members_of_the_latest_session_have_what_is_confirmed() -> None:
    first, second = Session(1, (ANN, BOB, CY), b"f"), Session(2, (ANN, BOB), b"f")
    assert latest_members([]) == set()
    assert latest_members([Session(0, ())]) == set()
    assert latest_members([first, second, first]) == {ANN, BOB}
    assert latest_members([first, second, Session(2, (BOB, CY), b"f")]) == {BOB}
    assert latest_members([first, Session(2, (ANN,), b"g")]) == set(), "they cannot be compared"

"""Blame for broken promises of a connection: traces told as stories, each with its verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from liven.types.connection_monitor import Blame, ConnectionMonitor, Party
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.count import COUNT
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import Formalism, Standing, Vocabulary
from liven.types.formalism.timing import TIMING
from liven.types.formalism.trace import TRACE
from liven.types.ids import ClassId
from liven.types.realizable import realizable
from liven.types.terms.endpoint_types import Constraint

NOTE = Vocabulary(frozenset({"Receive", "Ready"}), frozenset({"Send", "Close"}))
"""The events that the note's endpoint receives and sends; the channel's is its mirror."""
CHANNEL = Vocabulary(NOTE.outputs, NOTE.inputs)


class Known:
    """The built-in formalisms by id."""

    def __init__(self) -> None:
        self._by_id = {formalism.id: formalism for formalism in builtin_formalisms()}

    def find(self, key: ClassId, /) -> Formalism[Any] | None:
        return self._by_id.get(key)


STOCK = Known()


def constraint(text: str, names: Vocabulary, language: ClassId = TRACE) -> Constraint:
    formalism = STOCK.find(language)
    assert formalism is not None
    return Constraint(language, formalism.parse(text, names), text)


def note(provides: str = "", requires: str = "") -> Party:
    return party("note", NOTE, provides, requires)


def channel(provides: str = "", requires: str = "") -> Party:
    return party("channel", CHANNEL, provides, requires)


def party(name: str, names: Vocabulary, provides: str, requires: str) -> Party:
    promises, demands = (
        tuple(constraint(text, names) for text in texts.split(" + ") if text)
        for texts in (provides, requires)
    )
    return Party(name, promises, demands)


def told(left: Party, right: Party, story: str) -> Blame | None:
    """Run a story, `note:Send channel:Receive`, after a connect and, if it ends in `.`, before a
    disconnect."""
    monitor = ConnectionMonitor(left, right, STOCK)
    monitor.connected(0.0)
    words = story.removesuffix(".").split()
    for now, word in enumerate(words, 1):
        sender, _, event = word.partition(":")
        monitor.sent(sender, event, float(now))
    if story.endswith("."):
        monitor.disconnected(float(len(words) + 1))
    return monitor.blame


POLITE = note(provides="no Send before Ready", requires="at most one Ready")
STRICT = channel(provides="at most one Ready", requires="no Send before Ready")


def test_a_trace_that_keeps_all_promises_blames_nobody() -> None:
    assert told(POLITE, STRICT, "channel:Ready note:Send channel:Receive note:Send.") is None


def test_a_side_that_breaks_its_own_promise_is_guilty() -> None:
    blame = told(POLITE, STRICT, "note:Send channel:Ready")
    assert blame is not None
    assert blame.guilty == ("note",)
    assert (blame.owner, blame.role, blame.text) == ("note", "provides", "no Send before Ready")
    assert blame.violation.trace == ("connect", "out.Send")
    assert blame.violation.time == 1.0
    assert "the fault is with note" in blame.explanation.claim


def test_the_other_side_is_guilty_when_it_breaks_its_promise() -> None:
    blame = told(POLITE, STRICT, "channel:Ready note:Send channel:Ready")
    assert blame is not None
    assert blame.guilty == ("channel",)
    assert blame.violation.trace == ("connect", "out.Ready", "out.Ready")


def test_a_side_wronged_first_is_not_blamed_afterwards() -> None:
    """The channel answers a broken promise by breaking one of its own: the first breach counts."""
    blame = told(POLITE, STRICT, "note:Send channel:Ready channel:Ready")
    assert blame is not None and blame.guilty == ("note",)


def test_a_side_that_breaks_a_demand_is_guilty_even_without_a_promise() -> None:
    blame = told(note(provides="no Close", requires="no Receive"), channel(), "channel:Receive note:Close")
    assert blame is not None
    assert (blame.guilty, blame.owner, blame.role) == (("channel",), "note", "requires")
    assert blame.violation.time == 1.0


def test_a_promise_broken_together_with_its_condition_is_the_peers_fault() -> None:
    left = note(provides="no Receive", requires="no Receive")
    blame = told(left, channel(), "channel:Receive")
    assert blame is not None and blame.guilty == ("channel",)


def test_a_demand_that_breaks_by_ones_own_doing_blames_nobody() -> None:
    blame = told(note(requires="no Send"), channel(), "note:Send")
    assert blame is not None
    assert blame.guilty == ()
    assert "no event that its peer sent or owed" in blame.explanation.claim


def test_an_unmet_eventually_is_blamed_on_its_debtor_at_the_disconnect_only() -> None:
    left, right = (
        note(requires="every Send is answered by Receive"),
        channel("every Send is answered by Receive"),
    )
    assert told(left, right, "note:Send note:Send") is None
    blame = told(left, right, "note:Send note:Send.")
    assert blame is not None
    assert blame.guilty == ("channel",)
    assert blame.violation.owed_by == "owner"
    assert blame.violation.trace == ("connect", "in.Send", "disconnect")


def test_a_side_that_needed_the_peer_to_act_first_is_not_blamed() -> None:
    """The channel owes a Receive only after a Send, which the note owed first."""
    left = note(provides="eventually Send", requires="eventually Receive")
    right = channel(provides="no Receive before Send; eventually Receive", requires="eventually Send")
    blame = told(left, right, ".")
    assert blame is not None and blame.guilty == ("note",)
    blame = told(left, right, "note:Send.")
    assert blame is not None and blame.guilty == ("channel",)


def test_sides_that_wait_for_each_other_are_both_guilty() -> None:
    left = note(provides="eventually Send", requires="eventually Receive")
    right = channel(provides="eventually Receive", requires="eventually Send")
    blame = told(left, right, ".")
    assert blame is not None
    assert set(blame.guilty) == {"note", "channel"}


@pytest.mark.parametrize(
    ("at_note", "at_channel"),
    [
        ("eventually Send", "eventually Receive"),
        ("eventually Send + at most one Close", "at most one Ready + every connect is answered by Receive"),
    ],
)
def test_an_event_owed_by_both_at_the_disconnect_blames_both(at_note: str, at_channel: str) -> None:
    left, right = note(provides=at_note), channel(provides=at_channel)
    blames = [told(*pair, ".") for pair in ((left, right), (right, left))]
    assert blames[0] == blames[1]
    assert blames[0] is not None and blames[0].guilty == ("channel", "note")
    assert "the fault is with channel and note" in blames[0].explanation.claim


def test_an_unrealizable_promise_blames_nobody() -> None:
    blame = told(note(provides="no Receive"), channel(), "channel:Receive")
    assert blame is not None
    assert blame.guilty == ()
    assert "could not have kept it alone" in blame.explanation.claim


def test_promises_that_contradict_each_other_are_broken_as_soon_as_they_cannot_all_be_kept() -> None:
    left = note(provides="eventually Close + no Close after Send")
    blame = told(left, channel(), "note:Send")
    assert blame is not None
    assert blame.guilty == ("note",)
    assert blame.text == "eventually Close; no Close after Send"


def test_demands_that_cannot_be_met_any_more_together_are_broken_then() -> None:
    left = note(
        provides="no Receive",
        requires="every Receive is followed by a Ready + no Ready after Receive",
    )
    assert realizable(left.provides, left.requires, STOCK)
    blame = told(left, channel(), "channel:Receive")
    assert blame is not None
    assert (blame.guilty, blame.owner, blame.role) == (("channel",), "note", "requires")
    assert blame.text == "every Receive is followed by a Ready; no Ready after Receive"


def test_sides_are_told_apart_by_name_and_not_by_place() -> None:
    for pair in ((POLITE, STRICT), (STRICT, POLITE)):
        blame = told(*pair, "note:Send")
        assert blame is not None and blame.guilty == ("note",)


def test_what_happens_after_the_first_violation_changes_nothing() -> None:
    assert told(POLITE, STRICT, "note:Send note:Send channel:Ready channel:Ready.") == told(
        POLITE, STRICT, "note:Send"
    )


def test_a_late_answer_is_blamed_on_its_debtor() -> None:
    soon = constraint("Receive within 1 s after Send", CHANNEL, TIMING)
    right = replace(channel(), provides=(soon,))
    monitor = ConnectionMonitor(note(), right, STOCK)
    monitor.connected(0.0)
    for number in range(20):
        monitor.sent("note", "Send", 1.0 + number / 100)
    assert monitor.advance(1.5) is None
    blame = monitor.advance(9.0)
    assert blame is not None
    assert blame.guilty == ("channel",)


def test_the_standing_of_every_constraint_can_be_asked() -> None:
    few = constraint("at most 3 instances connected", CHANNEL, COUNT)
    total = constraint("total", CHANNEL, GUARANTEE)
    monitor = ConnectionMonitor(POLITE, replace(STRICT, provides=(*STRICT.provides, few, total)), STOCK)
    monitor.connected(0.0)
    standings = {(owner, text): standing for owner, _, text, standing in monitor.standings()}
    assert standings["channel", "at most 3 instances connected"] is Standing.NOT_OBSERVABLE
    assert standings["note", "no Send before Ready"] is Standing.HOLDS_SO_FAR
    assert ("channel", "total") not in standings


def test_a_formalism_that_nobody_knows_is_not_watched() -> None:
    strange = Party("note", (Constraint(ClassId(1), "?", "?"),))
    assert told(strange, channel(), "note:Send.") is None


def test_two_sides_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="both sides are called 'note'"):
        ConnectionMonitor(note(), note(), STOCK)


def test_a_sender_who_is_neither_side_is_refused() -> None:
    with pytest.raises(ValueError, match="'folder' is neither 'note' nor 'channel'"):
        told(POLITE, STRICT, "folder:Send")


def test_an_impossible_event_is_refused_and_changes_nothing() -> None:
    monitor = ConnectionMonitor(POLITE, STRICT, STOCK)
    with pytest.raises(ValueError, match="Send cannot happen on a connection that is new"):
        monitor.sent("note", "Send", 0.0)
    monitor.connected(1.0)
    with pytest.raises(ValueError, match="connect cannot happen on a connection that is connected"):
        monitor.connected(2.0)
    with pytest.raises(ValueError, match=r"time went back from 1\.0 to 0\.5"):
        monitor.sent("note", "Send", 0.5)
    for never in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"{never} is not a time; give the seconds of a single clock"):
            monitor.advance(never)
        with pytest.raises(ValueError, match="is not a time"):
            ConnectionMonitor(POLITE, STRICT, STOCK).connected(never)
    assert monitor.blame is None
    monitor.disconnected(3.0)
    with pytest.raises(ValueError, match="disconnect cannot happen on a connection that is gone"):
        monitor.disconnected(4.0)
    assert monitor.blame is None


POOL = [
    "",
    "no Send before Ready",
    "at most one Ready",
    "every Receive follows a Send",
    "every Send is answered by Receive",
    "eventually Close",
    "nothing after Close",
    "no Close",
    "at most 2 Send between two Receive",
    "no Receive after Close",
    "eventually Receive",
    "given at least one Ready, eventually Send",
    "no Send before Ready + eventually Send",
    "eventually Receive + no Receive before Send",
    "Send alternates with Receive",
]
STORIES = st.lists(
    st.sampled_from(["note:Send", "note:Close", "channel:Receive", "channel:Ready"]), max_size=7
)


@given(st.sampled_from(POOL), st.sampled_from(POOL), STORIES)
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
def test_between_sides_that_can_keep_their_promises_every_violation_has_its_culprit(
    one: str, two: str, words: list[str]
) -> None:
    left, right = note(one, two), channel(two, one)
    assume(all(realizable(side.provides, side.requires, STOCK) for side in (left, right)))
    blame = told(left, right, " ".join(words) + ".")
    if blame is None:
        return
    assert blame.guilty
    if not blame.violation.owed_by:
        assert blame.guilty == (words[int(blame.violation.time) - 1].partition(":")[0],)


EVENTS = st.sampled_from(["note:Send", "note:Close", "channel:Receive", "channel:Ready"])


@given(st.lists(EVENTS, max_size=8))
@settings(max_examples=150, deadline=None)
def test_a_safe_promise_that_ones_own_event_breaks_makes_one_guilty_exactly(words: list[str]) -> None:
    """Between matching sides with realizable promises, the first violation always has a culprit."""
    blame = told(POLITE, STRICT, " ".join(words))
    first = first_fault(words)
    assert (blame is None) == (first is None)
    if blame is not None and first is not None:
        assert blame.guilty == (words[first].partition(":")[0],)
        assert blame.violation.time == first + 1.0


def first_fault(words: list[str]) -> int | None:
    """Return the position of a Send before any Ready, or of a second Ready."""
    for place, word in enumerate(words):
        before = words[:place].count("channel:Ready")
        if (word == "note:Send" and not before) or (word == "channel:Ready" and before):
            return place
    return None


def test_of_a_connection_found_open_nobody_is_blamed_for_its_past() -> None:
    late = ConnectionMonitor(note("no Send before Ready"), channel(), STOCK)
    late.found_connected(1.0)
    assert late.sent("note", "Send", 2.0) is None
    strict = ConnectionMonitor(note("no Send after Close"), channel(), STOCK)
    strict.found_connected(1.0)
    strict.sent("note", "Close", 2.0)
    blame = strict.sent("note", "Send", 3.0)
    assert blame is not None
    assert blame.guilty == ("note",)
    with pytest.raises(ValueError, match="cannot happen on a connection that is connected"):
        strict.found_connected(4.0)


def test_timing_starts_when_a_connection_is_found_open() -> None:
    promise = Party("note", (constraint("Send within 1 s after Ready", NOTE, TIMING),))
    late = ConnectionMonitor(promise, channel(), STOCK)
    late.found_connected(1.0)
    assert late.sent("channel", "Ready", 2.0) is None
    assert late.sent("note", "Send", 2.5) is None

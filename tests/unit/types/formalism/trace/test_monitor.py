"""Formulas as run-time monitors: the time of a violation, and the trace that is shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.formalism.plugin import Monitor, Standing, Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.monitor import TraceMonitor

TRACES = TraceFormalism()
ENDPOINT = Vocabulary(frozenset({"Send", "Open", "Close", "Both"}), frozenset({"Receive", "Ack", "Both"}))


def watching(trace: TraceFormalism, names: Vocabulary, text: str, *atoms: str) -> TraceMonitor:
    monitor = trace.monitor(trace.parse(text, names))
    for now, atom in enumerate(atoms):
        monitor.feed(atom, float(now))
    return monitor


REAL = ("connect", "disconnect", "in.Send", "in.Open", "in.Close", "out.Ack", "out.Receive", "in.Both")
UNREAL = ("Send", "", "in.", "out", "connected")
HAPPENINGS = st.sampled_from([*REAL, *UNREAL, "in.get.reply"])
FORMULAS = [
    "no Send after Close",
    "every Send is answered by Ack",
    "Open alternates with Close",
    "only Send or Ack",
    "at most 2 Send between two Ack",
    "given at least one Open, eventually Ack",
]


@given(st.sampled_from(FORMULAS), st.lists(HAPPENINGS, max_size=25))
@settings(max_examples=300, deadline=None)
def test_a_refused_event_does_not_change_a_monitor(text: str, atoms: list[str]) -> None:
    """A monitor that is also fed impossible events agrees with one that is not."""
    formula = TRACES.parse(text, ENDPOINT)
    bold, careful = TRACES.monitor(formula), TRACES.monitor(formula)
    for now, atom in enumerate(atoms):
        try:
            bold.feed(atom, float(now))
        except ValueError as error:
            assert "cannot happen" in str(error) or "not an event" in str(error)
        else:
            careful.feed(atom, float(now))
    assert bold.violation == careful.violation
    assert bold.standing is careful.standing


@pytest.mark.parametrize(
    ("text", "happened", "shown"),
    [
        ("no channel.Ack before detector.Suspect", "C D ack", "channel.connect channel.out.Ack"),
        ("no channel.Ack after detector.Suspect", "C D sus ack", "D sus C ack"),
        ("channel.* only after detector.connect", "C sen", "C sen"),
        ("at most one channel.connect", "C D", ""),
        ("no channel.disconnect before channel.Close", "C D sen c", "C c"),
        ("eventually detector.Suspect", "C D c d", "D d"),
        ("every detector.Suspect is answered by channel.Receive", "C D sus sen c", "C D sus c"),
    ],
)
def test_at_an_object_the_story_of_several_endpoints_is_followed(
    text: str, happened: str, shown: str, trace: TraceFormalism, whole: Vocabulary
) -> None:
    violation = watching(trace, whole, text, *told(happened)).violation
    expected = told(shown)
    assert sorted(violation.trace if violation else ()) == sorted(expected)


def told(story: str) -> list[str]:
    short = {
        "C": "channel.connect",
        "c": "channel.disconnect",
        "D": "detector.connect",
        "d": "detector.disconnect",
        "sus": "detector.in.Suspect",
        "sen": "channel.in.Send",
        "ack": "channel.out.Ack",
    }
    return [short.get(word, word) for word in story.split()]


def test_it_implements_the_monitor_protocol(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor: Monitor = watching(trace, channel, "no Send", "connect")
    assert monitor.standing is Standing.HOLDS_SO_FAR
    assert monitor.broken is None


def test_a_broken_safety_is_seen_at_its_event(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor = watching(trace, channel, "at most one Close", "connect", "in.Close", "in.Send")
    assert monitor.violation is None
    monitor.feed("in.Close", 7.5)
    assert monitor.violation is not None
    assert monitor.violation.time == 7.5
    assert monitor.violation.owed_by == ""
    assert monitor.standing is Standing.BROKEN
    assert "was broken by in.Close" in monitor.violation.explanation.render()


def test_an_unmet_eventually_is_seen_at_the_disconnect_and_not_before(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    monitor = watching(trace, channel, "every Send is answered by Ack", "connect", *["in.Send"] * 50)
    assert monitor.violation is None
    monitor.feed("disconnect", 60.0)
    assert monitor.violation is not None
    assert monitor.violation.owed_by == "owner"
    assert monitor.violation.trace == ("connect", "in.Send", "disconnect")
    assert "was not met by the time of disconnect" in str(monitor.broken)


def test_an_event_that_only_the_peer_can_send_is_owed_by_the_peer(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    monitor = watching(trace, channel, "eventually Close", "connect", "out.Ack", "disconnect")
    assert monitor.violation is not None
    assert monitor.violation.owed_by == "peer"


def test_an_event_that_waits_for_the_peer_is_owed_by_the_peer(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    text = "eventually Ack; no Ack before Open"
    assert watching(trace, channel, text, "connect", "disconnect").violation is not None
    waiting = watching(trace, channel, text, "connect", "disconnect").violation
    ready = watching(trace, channel, text, "connect", "in.Open", "disconnect").violation
    assert waiting is not None and waiting.owed_by == "peer"
    assert ready is not None and ready.owed_by == "owner"


def test_the_trace_shown_leaves_out_what_does_not_matter(trace: TraceFormalism, channel: Vocabulary) -> None:
    noise = ["in.Both", "out.Receive", "in.Send"] * 300
    monitor = watching(
        trace, channel, "no Send after Close", "connect", *noise, "in.Close", "out.Receive", "in.Send"
    )
    assert monitor.violation is not None
    assert monitor.violation.trace == ("connect", "in.Close", "in.Send")


def test_the_memory_of_a_monitor_does_not_grow(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor = watching(trace, channel, "Open alternates with Close", "connect")
    for now in range(5000):
        monitor.feed("in.Close" if now % 2 else "in.Open", float(now))
    assert len(monitor._path) <= 3
    monitor.feed("in.Close", 6000.0)
    assert monitor.violation is not None
    assert monitor.violation.trace == ("connect", "in.Close")


def test_after_the_first_violation_nothing_changes(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor = watching(trace, channel, "no Send", "connect", "in.Send")
    first = monitor.violation
    monitor.feed("in.Send", 9.0)
    monitor.feed("disconnect", 9.0)
    monitor.advance(10.0)
    assert monitor.violation is first


@pytest.mark.parametrize(
    ("atoms", "complaint"),
    [
        (["in.Send"], "in.Send cannot happen before the connect"),
        (["connect", "connect"], "connect cannot happen while connected"),
        (["connect", "disconnect", "in.Send"], "in.Send cannot happen after the disconnect"),
        (["connect", "disconnect", "disconnect"], "cannot happen after the disconnect"),
        (["connect", "Send"], "'Send' is not an event"),
    ],
)
def test_an_impossible_event_is_refused(
    atoms: list[str], complaint: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    with pytest.raises(ValueError, match=complaint):
        watching(trace, channel, "no Close", *atoms)


def test_an_event_that_no_formula_names_is_read_too(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor = watching(trace, channel, "only Send", "connect", "in.get.reply")
    assert monitor.violation is not None
    assert monitor.violation.trace == ("connect", "in.get.reply")


def test_unseen_assumptions_allow_only_certain_violations(trace: TraceFormalism, channel: Vocabulary) -> None:
    excused = watching(trace, channel, "given peer is reliable, eventually Ack", "connect", "disconnect")
    assert excused.violation is None
    sure = watching(
        trace,
        channel,
        "given peer is reliable, no Send; given not (peer is reliable), no Send",
        "connect",
        "in.Send",
    )
    assert sure.violation is not None


def test_at_an_object_other_endpoints_may_do_as_they_like(trace: TraceFormalism, whole: Vocabulary) -> None:
    monitor = watching(
        trace,
        whole,
        "no channel.Ack before channel.Send",
        "elsewhere.in.Thing",
        "channel.connect",
        "anything",
    )
    assert monitor.violation is None
    monitor.feed("channel.out.Ack", 4.0)
    assert monitor.violation is not None
    assert monitor.violation.trace == ("channel.connect", "channel.out.Ack")


EVENTS = st.sampled_from(["in.Send", "in.Open", "in.Close", "out.Ack", "out.Receive"])


@given(
    st.sampled_from([*FORMULAS, "no Receive before Open", "eventually Ack"]),
    st.lists(EVENTS, max_size=12),
    st.lists(EVENTS, max_size=12),
    st.booleans(),
)
@settings(max_examples=400, deadline=None)
def test_a_late_monitor_blames_nobody_that_a_full_one_would_not(
    text: str, before: list[str], after: list[str], ends: bool
) -> None:
    formula = TRACES.parse(text, ENDPOINT)
    saw_all, came_late = TRACES.monitor(formula), TRACES.monitor(formula)
    for now, atom in enumerate(["connect", *before]):
        saw_all.feed(atom, float(now))
    if saw_all.violation:
        return
    came_late.forget_past()
    for now, atom in enumerate([*after, *(["disconnect"] if ends else [])], 20):
        for monitor in (saw_all, came_late):
            monitor.feed(atom, float(now))
    assert saw_all.violation or not came_late.violation


@pytest.mark.parametrize(
    ("text", "happened", "broken"),
    [
        ("no Receive before Open", "out.Receive", False),
        ("no Receive after Close", "in.Close out.Receive", True),
        ("no Receive after Close", "out.Receive", False),
        ("every Send is answered by Ack", "in.Send disconnect", True),
        ("eventually Ack", "disconnect", False),
        ("only Send or Ack", "out.Receive", True),
    ],
)
def test_a_late_monitor_reports_what_no_past_excuses(text: str, happened: str, broken: bool) -> None:
    monitor = TRACES.monitor(TRACES.parse(text, ENDPOINT))
    monitor.forget_past()
    for now, atom in enumerate(happened.split()):
        monitor.feed(atom, float(now))
    assert (monitor.violation is not None) is broken
    assert (monitor.standing is Standing.BROKEN) is broken


def test_no_event_is_possible_after_the_disconnect() -> None:
    monitor = TRACES.monitor(TRACES.parse("no Receive after Close", ENDPOINT))
    monitor.forget_past()
    monitor.feed("disconnect", 0.0)
    with pytest.raises(ValueError, match="cannot happen any more"):
        monitor.feed("in.Send", 1.0)

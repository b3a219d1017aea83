"""The delay of other people's presence, measured with a different clock for each."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from liven.liveobjects.desktop.peer_delay import NOBODY, SILENT_AFTER, ClockEcho, PeerDelays

ANN, BOB, EVE = (uuid.uuid5(uuid.NAMESPACE_DNS, name) for name in ("ann", "bob", "eve"))
SECONDS = st.floats(0, 1000, allow_nan=False)


@example(there=0.0, back=0.0, held=0.1, offset=999_999.7)
@given(there=SECONDS, back=SECONDS, held=SECONDS, offset=st.floats(-1e6, 1e6, allow_nan=False))
def test_delay_is_half_the_round_trip_whatever_the_clocks_say(
    there: float, back: float, held: float, offset: float
) -> None:
    ann, bob = PeerDelays(ANN), PeerDelays(BOB)
    bob.heard(ANN, ClockEcho(100.0, NOBODY, 0.0, 0.0), 100.0 + there + offset)
    answer = bob.say(100.0 + there + offset + held)
    assert (answer.answers, answer.answered) == (ANN, 100.0)
    now = 100.0 + there + held + back
    ann.heard(BOB, answer, now)
    words = ann.words(BOB, now)
    half = (there + back) / 2
    assert words.endswith("behind")
    told = float(words.split()[0]) / (1000 if " ms " in words else 1)
    assert told == pytest.approx(half, abs=0.06 if half >= 0.9 else 0.002)
    assert ann.is_late(BOB, now) == (" s " in words) or half == pytest.approx(1, abs=1e-3)


def test_silent_person_is_reported_and_unknown_ones_are_not() -> None:
    lags = PeerDelays(ANN)
    lags.heard(BOB, ClockEcho(1.0, NOBODY, 0.0, 0.0), 50.0)
    assert lags.words(BOB, 51.0) == ""
    assert not lags.is_late(BOB, 51.0)
    assert lags.words(BOB, 51.0 + SILENT_AFTER) == "silent for 13 s"
    assert lags.is_late(BOB, 51.0 + SILENT_AFTER)
    assert lags.words(EVE, 51.0) == ""
    assert not lags.is_late(EVE, 51.0)


def test_repeated_message_is_ignored() -> None:
    lags = PeerDelays(ANN)
    said = ClockEcho(1.0, ANN, 9.0, 0.0)
    lags.heard(BOB, said, 10.0)
    lags.heard(BOB, said, 900.0)
    assert lags.words(BOB, 10.0) == "500 ms behind"
    assert "silent" in lags.words(BOB, 900.0)


@pytest.mark.parametrize(
    "said",
    [
        ClockEcho(1.0, EVE, 9.0, 0.0),
        ClockEcho(1.0, ANN, 11.0, 0.0),
        ClockEcho(1.0, ANN, 9.0, -5.0),
        ClockEcho(1.0, ANN, -9e8, 0.0),
    ],
)
def test_impossible_times_give_no_delay(said: ClockEcho) -> None:
    lags = PeerDelays(ANN)
    lags.heard(BOB, said, 10.0)
    assert lags.words(BOB, 10.0) == ""


def test_others_are_echoed_in_turn() -> None:
    lags = PeerDelays(ANN)
    assert lags.say(1.0) == ClockEcho(1.0, NOBODY, 0.0, 0.0)
    for who in (BOB, EVE):
        lags.heard(who, ClockEcho(5.0, NOBODY, 0.0, 0.0), 2.0)
    assert {lags.say(at).answers for at in (3.0, 4.0)} == {BOB, EVE}
    assert lags.say(5.0).answers != lags.say(6.0).answers


def test_person_who_left_is_forgotten() -> None:
    lags = PeerDelays(ANN)
    lags.heard(BOB, ClockEcho(1.0, ANN, 9.0, 0.0), 10.0)
    lags.keep([])
    assert lags.words(BOB, 10.0) == ""
    assert lags.say(11.0).answers == NOBODY

from __future__ import annotations

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import SECOND, START, record, recording

from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import whole, window_of
from liven.liveobjects.feeds.replay.place import Place, length_of, place_at

SOURCE = recording([record(at) for at in range(0, 100, 10)])
"""START is 2025-06-15 15:06:40 UTC."""


@pytest.mark.parametrize(
    ("text", "sequence", "seconds"),
    [
        ("#3", 3, 30),
        ("3", 3, 30),
        ("#99", 10, 90),
        ("0%", 0, 0),
        ("50%", 5, 45),
        ("100%", 10, 90),
        ("+25s", 3, 25),
        ("+25", 3, 25),
        ("+0m30s", 3, 30),
        ("+1m", 6, 60),
        ("+2h", 10, 90),
        ("-10s", 8, 80),
        ("-5m", 0, 0),
        ("15:07", 2, 20),
        ("15:07:05.5", 3, 25.5),
        ("2025-06-15T15:07:10", 3, 30),
        ("2025-06-15T17:07:10+02:00", 3, 30),
        ("2020-01-01", 0, 0),
        ("2030-01-01", 10, 90),
    ],
)
def test_places_as_people_write_them(text: str, sequence: int, seconds: float) -> None:
    assert place_at(text, SOURCE) == Place(sequence, START + round(seconds * SECOND))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "25:00",
        "12:60",
        "#x",
        "#-1",
        "#" + "9" * 30,
        "101%",
        "-5%",
        "nan%",
        "x%",
        "+",
        "+5y",
        "+s",
    ],
)
def test_other_texts_are_refused_with_the_forms(text: str) -> None:
    with pytest.raises(ReplayError, match=r"write "):
        place_at(text, SOURCE)


def test_lengths() -> None:
    assert length_of("1d2h3m4.5s") == ((26 * 60 + 3) * 60) * SECOND + 4_500_000
    with pytest.raises(ReplayError):
        length_of("")
    with pytest.raises(ReplayError, match="too long"):
        length_of("9" * 18 + "d")


def test_every_place_of_an_empty_recording_is_its_only_one() -> None:
    empty = recording([])
    for text in ("#5", "50%", "+10s", "2025-01-01"):
        assert place_at(text, empty) == Place(0, 0)


@pytest.mark.parametrize(
    ("start", "end", "begin", "stop"),
    [
        ("", "+20s", 0, 20),
        ("+30s", "+20s", 30, 50),
        ("#3", "+20s", 30, 50),
        ("50%", "+20s", 45, 65),
        ("15:07:00", "+1m", 20, 80),
        ("15:06:00", "+1m", 0, 20),  # 40 seconds before the recording
        ("-40s", "+20s", 50, 70),
        ("+30s", "-10s", 30, 80),
        ("+30s", "15:07:30", 30, 50),
    ],
)
def test_an_end_with_plus_counts_from_the_beginning_of_the_window(
    start: str, end: str, begin: float, stop: float
) -> None:
    window = window_of(SOURCE, start, end, whole(SOURCE))
    assert (window.begin.time, window.end.time) == (START + begin * SECOND, START + stop * SECOND)

"""The painted face of a chat: bubbles, names, times and people in each light, and the room they need."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, QTime
from tests.gui.objects.painted_face import picture, runs, texts

from liven.liveobjects.chat.model import Line, Talk
from liven.liveobjects.chat.view.chat_face import EMPTY, SAY, ChatFace
from liven.liveobjects.look.contrast import TEXT, contrast
from liven.liveobjects.look.tokens import Look
from liven.runtime.fold import PersistentMap

SAID = (
    ("ada", "Ada", "#148f77", "The tent is ours until Sunday."),
    ("bo", "Bo", "#c0392b", "I can fetch it with the van. Somebody to help me lift?"),
    ("me", "Ann Lee", "#2471a3", "Me, from three on"),
    ("mira", "Mira", "#ad1457", "Posters are in the folder"),
    ("mira", "Mira", "#ad1457", "The rota, too"),
)


def talk(*said: tuple[str, str, str, str]) -> Talk:
    lines = {
        str(n): Line(str(n), key, name, colour, 0, text) for n, (key, name, colour, text) in enumerate(said)
    }
    return Talk(PersistentMap(lines), tuple(lines))


def face(*said: tuple[str, str, str, str], loading: bool = False) -> ChatFace:
    return ChatFace(talk(*said), "me", "Crew", loading)


def test_a_chat_shows_its_people_and_their_words(light: Look) -> None:
    seen = runs(face(*SAID).paint, 280, 420)
    words = [run.text for run in seen]
    for said in ("The tent is ours until Sunday.", "I can fetch it with the van.", "Me, from three on"):
        assert said in words
    assert "Somebody to help me lift?" in words, "the second line of a message"
    assert words.index("Crew") < words.index(SAY)
    assert words.count("Mira") == 1, "one name for messages that follow each other"
    assert "Ann Lee" not in words, "the own name is not needed"
    assert words.count("M") == 2, "an avatar at her messages and one in the title"
    heights = {run.text: run.y for run in seen}
    assert heights["The tent is ours until Sunday."] < heights["Me, from three on"] < heights["The rota, too"]
    inks = {run.text: run.ink for run in seen}
    assert inks["Ada"] in light.people
    assert contrast(inks["Ada"], light.card) >= TEXT
    assert inks["The rota, too"] == inks["Crew"] == light.ink
    assert inks[SAY] == light.quiet


def test_own_messages_are_at_the_right_in_the_colour_of_the_own(light: Look) -> None:
    seen = {run.text: run for run in runs(face(*SAID).paint, 280, 420)}
    own, other = seen["Me, from three on"], seen["The rota, too"]
    assert own.x > other.x
    painted = picture(face(*SAID).paint, 280, 420)
    grounds = [painted.pixelColor(round(run.x) - 5, round(run.y) - 4).name() for run in (own, other)]
    expected = (light.card, light.card) if light.high_contrast else (light.select_soft, light.faint)
    assert tuple(grounds) == expected
    assert all(contrast(light.ink, ground) >= TEXT for ground in grounds)


def test_the_time_of_each_message_is_the_clock_of_this_computer(qapp: Any) -> None:
    written = [run.text for run in runs(face(SAID[0]).paint, 280, 300)]
    times = [QLocale().toString(QTime(hour, 0), QLocale.FormatType.ShortFormat) for hour in range(24)]
    halves = [QLocale().toString(QTime(hour, 30), QLocale.FormatType.ShortFormat) for hour in range(24)]
    assert [one for one in written if one in {*times, *halves}], written


def test_an_empty_chat_says_what_to_do_and_a_loading_one_does_not(qapp: Any) -> None:
    assert " ".join(texts(face().paint, 280, 200)[:-2]) == EMPTY
    assert EMPTY[:6] not in " ".join(texts(face(loading=True).paint, 280, 200))


def test_where_room_is_short_the_newest_message_stays(qapp: Any) -> None:
    assert SAY not in texts(face(*SAID).paint, 280, 140)
    assert "Crew" in texts(face(*SAID).paint, 280, 140)
    small = texts(face(*SAID).paint, 280, 60)
    assert "Crew" not in small
    assert "The rota, too" in small
    assert "The tent is ours until Sunday." not in small


def test_names_and_words_of_others_cannot_hide_or_turn_others(qapp: Any) -> None:
    said = texts(face(("x", "A\u202enn", "no colour", "gpj\u202e.exe")).paint, 280, 300)
    assert "Ann" in said
    assert "gpj.exe" in said


@settings(deadline=None, max_examples=20)
@given(
    st.integers(1, 700),
    st.integers(1, 700),
    st.lists(
        st.tuples(
            st.sampled_from(("me", "bo", "")),
            st.text(max_size=20),
            st.text(max_size=9),
            st.text(max_size=300),
        ),
        max_size=6,
    ),
)
def test_any_chat_paints_into_any_size(
    qapp: Any, width: int, height: int, said: list[tuple[str, str, str, str]]
) -> None:
    painted = picture(face(*said).paint, width, height)
    assert painted.pixelColor(0, 0).name() != "#ff00ff", "the ground of the card"


def test_a_long_chat_is_painted_without_laying_out_what_is_not_seen(qapp: Any) -> None:
    many = tuple(("bo", "Bo", "#c0392b", f"Message number {n}") for n in range(5_000))
    seen = texts(face(*many).paint, 280, 390)
    assert "Message number 4999" in seen
    assert len(seen) < 40

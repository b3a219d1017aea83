"""The painted face of a vote: its words, bars and people in each light, and the room that it needs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor
from tests.gui.objects.painted_face import picture, runs, texts

from liven.liveobjects.look.contrast import MARK, TEXT, contrast
from liven.liveobjects.look.tokens import LOOKS, SMALLEST_HIT, Look
from liven.liveobjects.view.avatars import Face
from liven.liveobjects.vote.model import Offer, Poll
from liven.liveobjects.vote.view.vote_face import ANOTHER, VoteFace
from liven.runtime.fold import PersistentMap

BOATS = (Offer("h", "Havørn"), Offer("t", "Two small ones"), Offer("n", "None, we walk"))
CAST = {"ann": "h", "bob": "h", "cleo": "h", "dan": "t"}
POLL = Poll("Which boat for the tour?", BOATS, PersistentMap(CAST))


def face(poll: Poll = POLL, mine: str = "h", *, loading: bool = False) -> VoteFace:
    return VoteFace(poll, mine, "Vote", loading, lambda key, look: Face(key[0].upper(), look.people[0]))


def test_a_vote_shows_question_answers_people_and_counts(light: Look) -> None:
    seen = texts(face().paint, 312, 260)
    assert seen[:2] == ["Which boat for the tour?", "4 have voted"]
    assert seen[-1] == "Add an answer"
    assert [one for one in seen if one in {"Havørn", "Two small ones", "None, we walk"}] == [
        answer.text for answer in BOATS
    ]
    assert [one for one in seen if one.isdigit()] == ["3", "1", "0"]
    assert sorted(one for one in seen if len(one) == 1 and one.isalpha()) == ["A", "B", "C", "D"]
    inks = {run.text: run.ink for run in runs(face().paint, 312, 260)}
    assert inks["Which boat for the tour?"] == light.ink
    assert inks["4 have voted"] == light.quiet


def test_bars_are_as_long_as_the_votes_and_words_on_them_are_legible(light: Look) -> None:
    """The second answer has a third of the votes of the first, the last has none."""
    painted = picture(face().paint, 312, 260)
    first, second, third, _ = (zone.area for zone in face().zones(QRectF(0, 0, 312, 260)))
    at = -3 if light.high_contrast else -8  # in high contrast a bar is a line at the foot

    def colour(row: QRectF, x: float) -> QColor:
        return painted.pixelColor(round(row.left() + x), round(row.bottom()) + at)

    track = colour(third, 60)
    assert colour(first, 60) != track
    assert colour(second, 60) != track
    assert colour(second, 120) == track
    ground = painted.pixelColor(round(first.left()) + 120, round(first.center().y()) - 12).name()
    assert contrast(light.ink, ground) >= TEXT
    if light.high_contrast:
        assert ground == light.card
    corner = QPointF(first.center().x(), first.top())
    assert painted.pixelColor(corner.toPoint()).name() == light.select, "the own answer has a ring"
    assert contrast(light.select, light.card) >= MARK


@pytest.mark.parametrize(
    ("poll", "words"),
    [
        (Poll(), "Double-click to ask a question and add answers."),
        (Poll("Tea?"), "Double-click to add the first answer."),
    ],
)
def test_an_empty_vote_says_what_to_do(qapp: Any, poll: Poll, words: str) -> None:
    seen = texts(face(poll, "").paint, 312, 140)
    assert seen[0] == (poll.question or "Vote")
    assert " ".join(seen[-1:]) == words


def test_a_loading_vote_claims_nothing(qapp: Any) -> None:
    assert texts(face(Poll(), "", loading=True).paint, 312, 140) == ["…"]


def test_where_room_is_short_people_go_before_answers(qapp: Any) -> None:
    """First the line at the foot, then avatars of a narrow face, then the number of votes, then answers."""
    assert "Add an answer" not in texts(face().paint, 312, 210)
    narrow = texts(face().paint, 180, 210)
    assert not [one for one in narrow if one in {"A", "B", "C", "D"}]
    assert "Two small ones"[:5] in " ".join(narrow)
    low = texts(face().paint, 312, 150)
    assert "4 have voted" not in low
    assert "None, we walk" in low
    lower = texts(face().paint, 312, 94)
    assert "Havørn" in lower
    assert lower[-1] == "and 2 more"


@settings(deadline=None, max_examples=20)
@given(
    st.integers(1, 900),
    st.integers(1, 900),
    st.lists(st.text(max_size=30), max_size=12),
    st.text(max_size=80),
)
def test_any_vote_paints_into_any_size_with_zones_inside(
    qapp: Any, width: int, height: int, answers: list[str], question: str
) -> None:
    offers = tuple(Offer(str(n), text) for n, text in enumerate(answers))
    made = face(Poll(question, offers, PersistentMap({"ann": "0"} if answers else {})), "0")
    area = QRectF(0, 0, width, height)
    picture(made.paint, width, height)
    zones = made.zones(area)
    shown = [zone.key for zone in zones if zone.key != ANOTHER]
    assert shown == [offer.key for offer in offers][: len(shown)]
    assert len(zones) == len(shown) or len(shown) == len(offers), "the field is below the last answer"
    for one, other in pairwise(zones):
        assert one.area.bottom() <= other.area.top()
    for zone in zones:
        assert zone.area.height() >= SMALLEST_HIT
        assert zone.area.bottom() <= height + 0.001


def test_a_person_without_a_name_has_a_sign_in_their_colour(qapp: Any) -> None:
    made = VoteFace(POLL, "", "Vote", loading=False, faces=lambda _, look: Face("", look.people[2]))
    painted = picture(made.paint, 312, 260)
    assert any(painted.pixelColor(x, 92).name() == LOOKS["day"].people[2] for x in range(150, 300)), (
        "the discs of those who chose the first answer"
    )

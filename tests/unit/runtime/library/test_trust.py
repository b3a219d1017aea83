"""The trust question shows all it is about, and a program with nobody to ask refuses."""

from __future__ import annotations

from liven.runtime.library.trust import Permission, Question, refuse


def test_a_question_names_library_content_and_origin() -> None:
    pinned = Question("AB", 3, "cd" * 32, "", "https://example.org/notes.zip", "the note")
    assert str(pinned) == (
        "run code of library AB version 3, sha256 cdcdcdcdcdcdcdcd… from https://example.org/notes.zip?"
    )
    assert "any content" in str(Question("AB", 3, "", "", "u", "the note"))


def test_without_anybody_to_ask_the_answer_is_no() -> None:
    answer = refuse(Question("AB", 3, "", "", "", "")).value()
    assert answer is Permission.NO
    assert not answer

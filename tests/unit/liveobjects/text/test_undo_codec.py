from __future__ import annotations

import pytest

from liven.liveobjects.text.model import Note, typed
from liven.liveobjects.text.undo_codec import decode, encode


def note() -> Note:
    made = Note(lambda _: None)
    made.start(None)
    return made


def test_what_was_typed_in_an_earlier_run_is_taken_back_in_a_later_one() -> None:
    first = note()
    first.edit("typing", typed(0, "mine "))
    state = first.shown.whole()
    again = note()
    again.remember(*decode(encode(*first.steps)))
    again.start(state)
    again.edit("later", typed(5, "too"))
    assert again.undo_names == ("later", "typing")
    assert again.undo() == "later"
    assert again.undo() == "typing"
    assert again.text == ""
    assert again.redo() == "typing"
    assert again.text == "mine "


def test_what_others_wrote_stays_when_an_old_step_is_taken_back() -> None:
    first = note()
    first.edit("typing", typed(0, "mine"))
    other = note()
    other.start(first.shown.whole())
    other.edit("typing", typed(2, "THEIRS"))
    again = note()
    again.remember(*decode(encode(*first.steps)))
    again.start(other.shown.whole())
    again.undo()
    assert again.text == "THEIRS"


@pytest.mark.parametrize("data", [b"", b"[]", b"[[1],[2]]", b'[[["x","!","!"]],[]]', b"\xff", b"[[],[],[]]"])
def test_bytes_that_are_no_list_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        decode(data)


def test_marks_that_are_none_leave_the_note_as_it_was() -> None:
    made = note()
    made.edit("typing", typed(0, "x"))
    with pytest.raises(ValueError, match="invalid undo steps"):
        made.remember(*decode(b'[[["x","/////w==","/////w=="]],[]]'))
    assert made.undo() == "typing"

from __future__ import annotations

import pytest

from liven.liveobjects.text.model import Note, typed
from liven.liveobjects.text.undo_codec import decode, encode


def note() -> Note:
    made = Note(lambda _: None)
    made.start(None)
    return made


def test_typing_of_an_earlier_run_can_be_undone() -> None:
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


def test_undoing_an_old_step_keeps_the_text_of_others() -> None:
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
def test_bytes_that_are_not_an_undo_list_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        decode(data)


def test_invalid_undo_marks_leave_the_note_unchanged() -> None:
    made = note()
    made.edit("typing", typed(0, "x"))
    with pytest.raises(ValueError, match="invalid undo steps"):
        made.remember(*decode(b'[[["x","/////w==","/////w=="]],[]]'))
    assert made.undo() == "typing"

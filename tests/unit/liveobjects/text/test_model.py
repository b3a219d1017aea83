from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pycrdt import Doc, Text

from liven.liveobjects.look.tokens import DEFAULT_PAPER
from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Keep
from liven.liveobjects.text.model import LONGEST, MOST_STEPS, Note, TooLongError, typed
from liven.liveobjects.text.papers import PAPERS
from liven.liveobjects.text.yjs_update import BrokenUpdateError


@dataclass
class Room:
    """Several people on one channel. Messages wait until they are ordered and, for `slow` people, until they
    are taken."""

    notes: list[Note] = field(default_factory=list)
    waiting: list[list[bytes]] = field(default_factory=list)
    coming: list[list[bytes]] = field(default_factory=list)
    slow: bool = False

    @classmethod
    def of(cls, people: int) -> Room:
        room = cls()
        for _ in range(people):
            room.join()
        return room

    def join(self) -> Note:
        line: list[bytes] = []
        note = Note(line.append)
        note.start(self.notes[0].checkpoint() if self.notes else None)
        self.coming.append([*self.coming[0]] if self.notes else [])
        self.notes.append(note)
        self.waiting.append(line)
        return note

    def order(self, who: int) -> None:
        if self.waiting[who]:
            update = self.waiting[who].pop(0)
            for one, line in enumerate(self.coming):
                line.append(update)
                if not self.slow:
                    self.take(one)

    def take(self, who: int) -> None:
        if self.coming[who]:
            self.notes[who].receive(self.coming[who].pop(0))

    def settle(self) -> None:
        while any(self.waiting) or any(self.coming):
            for who in range(len(self.notes)):
                self.order(who)
                self.take(who)


def test_concurrent_typing_merges_both_texts() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "one "))
    bob.edit("typing", typed(0, "two "))
    assert (ann.text, bob.text) == ("one ", "two ")
    room.settle()
    assert ann.text == bob.text == room.join().text
    assert sorted(ann.text.split()) == ["one", "two"]


def test_undo_removes_my_text_and_keeps_that_of_others_inside_it() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "hello"))
    room.settle()
    bob.edit("typing", typed(2, "😀"))
    room.settle()
    assert ann.undo() == "typing"
    room.settle()
    assert ann.text == bob.text == "😀"
    assert ann.redo() == "typing"
    room.settle()
    assert "".join(sorted(bob.text)) == "".join(sorted("hello😀"))


def test_the_letters_of_a_word_are_one_undo_step() -> None:
    room = Room.of(1)
    [ann] = room.notes
    for at, letter in enumerate("word"):
        ann.edit("typing", typed(at, letter), join=True)
    ann.edit("typing", typed(4, "!"))
    assert ann.undo_names == ("typing", "typing")
    ann.undo()
    assert ann.text == "word"
    ann.undo()
    assert ann.text == ""


def test_undo_restores_deleted_text_with_its_place_and_format() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", (Insert("a ", {}), Insert("bold", {"bold": True}), Insert(" z", {})))
    room.settle()
    ann.edit("delete", (Keep(2, {}), Delete(4)))
    bob.edit("typing", typed(0, "so: "))
    room.settle()
    ann.undo()
    room.settle()
    assert bob.text == "so: a bold z"
    assert [(run.text, run.look) for run in bob.shown.runs()][1] == ("bold", {"bold": True})


def test_undo_restores_a_format() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "abcd"))
    room.settle()
    ann.edit("bold", (Keep(1, {}), Keep(2, {"bold": True})))
    room.settle()
    bob.edit("typing", typed(0, "x"))
    room.settle()
    ann.undo()
    room.settle()
    assert [(run.text, run.look) for run in bob.shown.runs()] == [("xabcd", {})]


def test_undo_continues_after_a_restart() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "kept"))
    ann.edit("delete", (Keep(1, {}), Delete(2)))
    room.settle()
    again = Note(room.waiting[0].append, *ann.steps)
    again.start(bob.checkpoint())
    room.notes[0] = again
    assert again.undo() == "delete"
    room.settle()
    assert bob.text == "kept"
    assert again.undo() == "typing"
    room.settle()
    assert bob.text == ""
    assert again.redo() == "typing"
    room.settle()
    assert bob.text == "kept"


def test_pending_edits_survive_a_new_start() -> None:
    room = Room.of(1)
    [ann] = room.notes
    ann.edit("typing", typed(0, "mine"))
    ann.start(None)
    assert (ann.text, ann.pending) == ("mine", 1)
    room.settle()
    assert (str(ann.confirmed), ann.pending) == ("mine", 0)


def test_an_edit_that_the_channel_refuses_leaves_the_note_unchanged() -> None:
    full = False

    def send(_: bytes) -> None:
        if full:
            raise BufferError("the channel is full")

    note = Note(send)
    note.start(None)
    note.edit("typing", typed(0, "kept"))
    full = True
    with pytest.raises(BufferError):
        note.edit("typing", typed(4, " lost"))
    with pytest.raises(BufferError):
        note.undo()
    assert (note.text, note.pending, note.undo_names) == ("kept", 1, ("typing",))


def test_bad_bytes_and_too_much_text_are_refused_and_change_nothing() -> None:
    [note] = Room.of(1).notes
    note.edit("typing", typed(0, "kept"))
    with pytest.raises(BrokenUpdateError):
        note.receive(b"\xff" * 30)
    with pytest.raises(BrokenUpdateError):
        note.start(b"\xff" * 30)
    with pytest.raises(TooLongError, match="10,000,000 characters"):
        note.edit("paste", typed(0, "x" * LONGEST))
    assert note.text == "kept"


ACTS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(
            ["type", "type", "delete", "bold", "paper", "undo", "redo", "order", "order", "take", "take"]
        ),
        st.floats(0, 1),
        st.text(alphabet="ab😀\n", min_size=1, max_size=4),
    ),
    max_size=40,
)


def delta_for(note: Note, what: str, where: float, text: str) -> Delta:
    at = int(where * len(note.shown))
    length = min(len(text), len(note.shown) - at)
    match what:
        case "type":
            return typed(at, text)
        case "delete":
            return (Keep(at, {}), Delete(length))
        case _:
            return (Keep(at, {}), Keep(length, {"bold": True}))


def obey_the_law(room: Room, acts: list[tuple[int, str, float, str]]) -> None:
    """Let three people write, deliver edits to each at random times, and let one more join late."""
    room.slow = True
    for who, what, where, text in acts:
        note = room.notes[who]
        match what:
            case "undo":
                note.undo()
            case "redo":
                note.redo()
            case "order":
                room.order(who)
            case "take":
                room.take(who)
            case "paper":
                note.choose_paper(paper_for(where))
            case _:
                note.edit(what, delta_for(note, what, where, text))
    late = room.join()
    room.settle()
    assert len({note.digest() for note in room.notes}) == 1
    assert all(note.text == str(note.confirmed) == late.text for note in room.notes)
    assert {note.paper for note in room.notes} == {late.paper}


def paper_for(where: float) -> str:
    return PAPERS[int(where * (len(PAPERS) - 1))]


@given(ACTS)
def test_all_replicas_of_a_note_converge(
    acts: list[tuple[int, str, float, str]],
) -> None:
    obey_the_law(Room.of(3), acts)


class PassingOver(Note):
    """A replica that skips every third edit."""

    heard = 0

    def receive(self, update: bytes) -> None:
        self.heard += 1
        if self.heard % 3:
            with suppress(BrokenUpdateError):  # it builds on what was passed over
                super().receive(update)
        elif update in self._pending:
            self._pending.remove(update)


class Forgetful(Note):
    """A replica that drops the last character with each edit it receives."""

    def receive(self, update: bytes) -> None:
        super().receive(update)
        if len(self.confirmed) > 1:
            self.confirmed.edit((Keep(len(self.confirmed) - 1, {}), Delete(1)))


@pytest.mark.parametrize("kind", [PassingOver, Forgetful])
def test_a_replica_that_merges_wrongly_breaks_the_law(kind: type[Note]) -> None:
    @settings(
        max_examples=2000,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        report_multiple_bugs=False,  # as a group they would be no AssertionError
    )
    @given(ACTS)
    def law(acts: list[tuple[int, str, float, str]]) -> None:
        room = Room.of(3)
        room.notes[1] = kind(room.waiting[1].append)
        room.notes[1].start(None)
        obey_the_law(room, acts)

    with pytest.raises(AssertionError):
        law()


@given(ACTS)
def test_undoing_everything_alone_leaves_an_empty_note(acts: list[tuple[int, str, float, str]]) -> None:
    room = Room.of(1)
    [note] = room.notes
    for _, what, where, text in acts:
        if what in {"type", "delete", "bold"}:
            note.edit(what, delta_for(note, what, where, text))
        elif what == "paper":
            note.choose_paper(paper_for(where))
    whole = note.shown.digest()
    steps = 0
    while note.undo() is not None:
        steps += 1
    assert note.text == ""
    assert note.paper == DEFAULT_PAPER
    while note.redo() is not None:
        steps -= 1
    assert steps == 0
    assert note.shown.digest() == whole


def test_the_oldest_undo_steps_are_dropped() -> None:
    [note] = Room.of(1).notes
    for at in range(2 * MOST_STEPS + 1):
        note.edit(f"typing {at}", typed(at, "x"))
    assert len(note.undo_names) == MOST_STEPS
    while note.undo() is not None:
        pass
    assert len(note.text) == MOST_STEPS + 1


def test_a_forged_writer_changes_only_the_shown_text_of_the_victim() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "mine"))
    forged = Document(writer=ann.shown._doc.client_id).edit((Insert("yours", {}),))
    bob.edit("typing", typed(0, "."))
    for note in room.notes:
        note.receive(forged)
    room.settle()
    assert ann.text == bob.text == room.join().text
    assert str(ann.confirmed) == ann.text


def test_an_own_edit_that_everybody_refuses_is_removed_from_the_shown_text() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    ann.edit("typing", typed(0, "lost "))
    room.waiting[0].clear()  # the channel could not keep it
    ann._pending.clear()
    ann.edit("typing", typed(5, "builds on it"))
    update = room.waiting[0].pop()
    for note in room.notes:
        with pytest.raises(BrokenUpdateError, match="missing edit"):
            note.receive(update)
    assert ann.text == bob.text == ""
    ann.edit("typing", typed(0, "goes on"))
    room.settle()
    assert ann.text == bob.text == "goes on"


def test_a_checkpoint_without_the_context_of_a_pending_edit_is_accepted() -> None:
    room = Room.of(1)
    [ann] = room.notes
    ann.edit("typing", typed(0, "here "))
    room.settle()
    ann.edit("typing", typed(5, "on its way"))
    ann.start(Document().edit((Insert("another history", {}),)))
    assert ann.text == "another history"


def test_a_paper_reaches_everybody_and_undo_restores_the_earlier_one() -> None:
    room = Room.of(2)
    ann, bob = room.notes
    dressed: list[str] = []
    bob.hear_settings(lambda: dressed.append(bob.paper))
    ann.edit("typing", typed(0, "milk"))
    ann.choose_paper("rose")
    ann.choose_size("large")
    room.settle()
    assert (bob.paper, bob.size, dressed) == ("rose", "large", ["rose", "rose"])
    assert room.join().paper == "rose"
    assert ann.undo_names == ("size", "colour", "typing")
    assert [ann.undo(), ann.undo()] == ["size", "colour"]
    room.settle()
    assert (ann.text, ann.paper, bob.paper, bob.size) == ("milk", DEFAULT_PAPER, DEFAULT_PAPER, "medium")
    ann.redo()
    room.settle()
    assert bob.paper == "rose"


def test_choosing_the_same_paper_again_sends_nothing() -> None:
    [ann] = (room := Room.of(1)).notes
    ann.choose_paper("mint")
    ann.choose_paper("mint")
    assert len(room.waiting[0]) == 1
    assert ann.undo_names == ("colour",)


def test_undo_of_a_paper_continues_after_a_restart() -> None:
    room = Room.of(1)
    [ann] = room.notes
    ann.choose_paper("mint")
    ann.choose_paper("sky")
    room.settle()
    again = Note(lambda _: None, *ann.steps)
    again.start(ann.checkpoint())
    assert again.undo() == "colour"
    assert again.paper == "mint"


def test_checkpoints_without_a_paper_have_the_first_one_and_an_unchanged_digest() -> None:
    bare: Doc[Any] = Doc(client_id=7, skip_gc=True)  # as programs wrote it that knew no papers
    bare.get("text", type=Text).insert(0, "old")
    note = Note(lambda _: None)
    note.start(bytes(bare.get_update()))
    assert (note.text, note.paper, note.size) == ("old", "sun", "medium")
    assert note.digest() == hashlib.blake2b(ascii(("old", [])).encode(), digest_size=16).digest()


def test_an_unknown_paper_of_others_shows_as_the_first() -> None:
    note = Note(lambda _: None)
    note.start(Document(writer=9).set("paper", "velvet"))
    assert note.paper == "sun"
    with pytest.raises(ValueError, match="velvet"):
        note.choose_paper("velvet")

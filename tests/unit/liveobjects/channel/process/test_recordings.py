"""The recorders of channels, as members hear of them."""

from __future__ import annotations

from liven.liveobjects.channel.process.recordings import RECORDERS_MOST, Notice, Recordings, Says

ANN, BO = b"a" * 16, b"b" * 16


def test_a_recorder_is_answered_in_each_view_because_an_objection_may_have_been_lost() -> None:
    recordings, changed = Recordings(), list[str]()
    recordings.listen(changed.append)
    notice = Notice(Says.RECORDS, ANN, "Ann", "Our board")
    assert [recordings.heard("board", notice) for _ in range(3)] == [True, True, True]
    assert changed == ["board"]
    assert recordings.of("board") == (notice,)


def test_answers_of_others_are_not_answered() -> None:
    recordings = Recordings()
    for says in (Says.OBJECTS, Says.AGREES, Says.STOPS):
        assert not recordings.heard("board", Notice(says, BO, "Bo"))
    assert recordings.of("board") == ()


def test_a_recorder_beyond_the_most_is_neither_remembered_nor_answered() -> None:
    recordings = Recordings()
    for number in range(RECORDERS_MOST):
        assert recordings.heard("board", Notice(Says.RECORDS, number.to_bytes(16), ""))
    assert not recordings.heard("board", Notice(Says.RECORDS, b"x" * 16, ""))
    assert recordings.heard("board", Notice(Says.RECORDS, (3).to_bytes(16), ""))
    assert len(recordings.of("board")) == RECORDERS_MOST


def test_recorders_that_left_are_forgotten() -> None:
    recordings = Recordings()
    for author in (ANN, BO):
        recordings.heard("board", Notice(Says.RECORDS, author, ""))
    recordings.keep("board", [BO])
    assert [one.author for one in recordings.of("board")] == [BO]
    recordings.heard("board", Notice(Says.STOPS, BO, ""))
    assert recordings.of("board") == ()

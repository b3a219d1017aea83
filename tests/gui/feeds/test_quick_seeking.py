"""Seeking faster than the objects of a recording open never shows a state that was not recorded."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.gui.feeds.recorded import BOARD, NOTE, board, monday, written
from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.liveobjects.text.document import Document


def texts_of(recording: Recording) -> set[str]:
    """Return every text that the note had."""
    from liven.liveobjects.feeds.history.container_kinds import NOTE as KIND
    from liven.liveobjects.feeds.history.note_history import text_of
    from liven.liveobjects.feeds.history.reconstruction import Reconstruction

    found = {str(Document())}
    for at in range(recording.end + 1):
        past = Reconstruction(recording.source).channel(NOTE, KIND, at)
        if past is not None:
            found.add(text_of(past.follower.state()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_quick_seeking_shows_only_what_was_recorded(desk: Any, seed: int) -> None:
    recording = monday()
    written(recording, desk.folders.state / "feeds", board())
    window = desk.open(board(), BOARD)
    allowed, chance = texts_of(recording), random.Random(seed)
    said: list[str] = []
    for _ in range(4):
        desk.press(window, "History")
        desk.wait(lambda: window.past.view is not None)
        view = window.past.view
        view.message.connect(said.append)
        desk.wait(lambda view=view: view.show is not None and view.page.stage.shown is not None)
        bar, playback = view.page.bar, view.show.playback
        for _ in range(12):
            chance.choice(
                (
                    lambda bar=bar: bar.step(-1),
                    lambda bar=bar: bar.step(1),
                    lambda bar=bar: bar.jump(-2.0),
                    lambda bar=bar: bar.seek_end(0.0),
                    lambda bar=bar: bar.seek_end(1.0),
                )
            )()
            desk.bot.wait(chance.choice((1, 1, 5, 30)))
            for one in view.show.sandbox.node.running.values():
                if hasattr(one.instance, "note") and one.path[-1] == "Programme":
                    assert str(one.instance.note.shown) in allowed
        bar.seek_end(1.0)
        desk.wait(lambda playback=playback: not playback.is_moving)
        assert set(view.show.model.editor.state.items) == {"plan"}
        desk.press(window, "Return to now")
    assert not said

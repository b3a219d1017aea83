"""A chat's lines on the screen are those of its state, and of a long talk only what differs is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from liven.liveobjects.chat import model as module
from liven.liveobjects.chat import view
from liven.liveobjects.chat.model import Change, ChatModel, Line, Say, Talk, Unsay
from liven.liveobjects.chat.view import ChatPanel
from liven.runtime.fold import applied

MODEL = ChatModel()
KEYS = [f"key{n}" for n in range(9)]


def say(key: str) -> Say:
    return Say(Line(key, "p", "Ann", "#112233", 0, f"says {key}\nin two lines"))


class Standing:
    """A chat that stands still; who shows it is told what differs."""

    ready = True

    def __init__(self, state: Talk) -> None:
        self.editor = self
        self.state = state


def shown(panel: ChatPanel) -> list[str]:
    return [part.split("\n")[0] for part in panel.lines.toPlainText().split(" says ")[1:]]


@given(st.lists(st.one_of(st.sampled_from(KEYS).map(say), st.sampled_from(KEYS).map(Unsay)), max_size=40))
def test_what_stands_there_is_what_was_said_whatever_came_and_went(qapp: Any, changes: list[Change]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_LINES", 5)
        panel, state = ChatPanel(Standing(Talk()), None), Talk()  # type: ignore[arg-type]  # nobody is told
        for change in changes:
            before, (state, _, _) = state, applied(MODEL, state, (change,))
            panel.differs(before, state)
            assert shown(panel) == list(state.order)
        panel.deleteLater()


def test_one_more_line_of_a_long_talk_writes_one_line(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the lines that are kept were written anew with each that came: half a second for each."""
    state, _, _ = applied(MODEL, Talk(), tuple(say(f"key{n}") for n in range(module.MOST_LINES)))
    panel = ChatPanel(Standing(state), None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    written: list[str] = []
    html = view._html

    def counted(line: Line) -> str:
        written.append(line.key)
        return html(line)

    monkeypatch.setattr(view, "_html", counted)
    after, _, _ = applied(MODEL, state, (say("new"),))
    panel.differs(state, after)
    assert written == ["new"]
    assert panel.lines.document().blockCount() == module.MOST_LINES
    assert shown(panel)[0] == "key1"

"""A chat panel shows the state and writes only the difference, also in a long chat."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from liven.liveobjects.chat import model as module
from liven.liveobjects.chat.model import Change, ChatModel, Line, Say, Talk, Unsay
from liven.liveobjects.chat.view import ChatPanel
from liven.liveobjects.chat.view import chat_view as view
from liven.runtime.fold import applied

MODEL = ChatModel()
KEYS = [f"key{n}" for n in range(9)]


def say(key: str) -> Say:
    return Say(Line(key, "p", "Ann", "#112233", 0, f"says {key}\nin two lines"))


class Standing:
    """A chat with a fixed state and a list of listeners."""

    ready = True

    def __init__(self, state: Talk) -> None:
        self.editor = self
        self.state = state


def shown(panel: ChatPanel) -> list[str]:
    return [part.split("\n")[0] for part in panel.lines.toPlainText().split(" says ")[1:]]


@given(st.lists(st.one_of(st.sampled_from(KEYS).map(say), st.sampled_from(KEYS).map(Unsay)), max_size=40))
def test_the_panel_shows_the_state_after_any_changes(qapp: Any, changes: list[Change]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_LINES", 5)
        panel, state = ChatPanel(Standing(Talk()), None), Talk()  # type: ignore[arg-type]  # nobody is told
        for change in changes:
            before, (state, _, _) = state, applied(MODEL, state, (change,))
            panel.show_change(before, state)
            assert shown(panel) == list(state.order)
        panel.deleteLater()


def test_a_new_line_in_a_long_chat_writes_only_one_line(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing all stored lines for each new one took half a second."""
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
    panel.show_change(state, after)
    assert written == ["new"]
    assert panel.lines.document().blockCount() == module.MOST_LINES
    assert shown(panel)[0] == "key1"

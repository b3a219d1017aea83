"""The question before an object reaches files and folders of this computer, and the effect of each answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QTreeWidget
from tests.gui.trust.open_questions import questions

from liven.app.trust.path_policy import PathPolicy
from liven.app.trust.path_store import PathStore
from liven.app.trust.question_board import QuestionBoard
from liven.liveobjects.folder.recipe import view_of_disk
from liven.runtime.capability import Capability, CapabilityKind, ConsentQuestion
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference


def answer(desk: Any, words: str, *, always: bool = False) -> None:
    desk.wait(questions)
    (dialog,) = questions()
    dialog.findChildren(QCheckBox)[0].setChecked(always)
    [button] = [one for one in dialog.findChildren(QPushButton) if words in one.text().replace("&", "")]
    desk.wait(button.isEnabled)
    desk.click(button)
    desk.wait(lambda: not questions())


def shown(desk: Any, folder: Path) -> Any:
    return desk.windows.open_file(desk.file("shelf", view_of_disk("shelf", str(folder))))


def test_the_question_names_object_and_path_and_no_opens_nothing(desk: Any, tmp_path: Path) -> None:
    window = shown(desk, tmp_path)
    desk.wait(questions)
    words = "".join(label.text() for label in questions()[0].findChildren(QLabel)).replace("\u200b", "")
    assert "shelf" in words
    assert f"read the objects in the folder {tmp_path}" in words
    answer(desk, "No")
    desk.wait(lambda: "which nobody allowed" in desk.words(window))
    assert window.view is None
    assert not desk.program.session.node.running
    [again] = window.centralWidget().findChildren(QPushButton)
    assert again.text() == "&Restart"
    desk.click(again)
    answer(desk, "Allow")
    desk.wait(lambda: window.view is not None)


def test_another_computer_is_asked_about_by_host_and_port(desk: Any) -> None:
    url = Parameter("url", Plain("string", "https://example.org/quakes"))
    kind = Parameter("ValueClass", OtherClass("ValueClass", "liven:text"))
    window = desk.windows.open_file(desk.file("quakes", Reference("liven:http-poll", (kind, url))))
    desk.wait(questions)
    words = "".join(label.text() for label in questions()[0].findChildren(QLabel)).replace("\u200b", "")
    assert "exchange data with the computer example.org:443" in words
    assert "shows them your address" in words
    answer(desk, "No")
    desk.wait(lambda: "which nobody allowed" in desk.words(window))
    assert not desk.program.session.node.running


def test_a_query_is_asked_about_by_its_feed(desk: Any) -> None:
    given = (Parameter("feed", Plain("string", "radar")), Parameter("query", Plain("string", "select 1")))
    window = desk.windows.open_file(desk.file("counts", Reference("liven:feed-query", given)))
    desk.wait(questions)
    words = "".join(label.text() for label in questions()[0].findChildren(QLabel)).replace("\u200b", "")
    assert "run a query with Spark on the recorded feed radar" in words
    assert "everybody who has the object open can see the result" in words
    answer(desk, "No")
    desk.wait(lambda: "which nobody allowed" in desk.words(window))


def test_yes_opens_it_and_asks_again_after_a_restart(desk: Any, tmp_path: Path) -> None:
    window = shown(desk, tmp_path)
    answer(desk, "Allow")
    desk.wait(lambda: window.view is not None)
    assert not (desk.folders.config / "paths.json").exists()


def test_always_is_remembered_for_this_object_and_this_folder(desk: Any, tmp_path: Path) -> None:
    first = shown(desk, tmp_path)
    answer(desk, "Allow", always=True)
    desk.wait(lambda: first.view is not None)
    assert (desk.folders.config / "paths.json").stat().st_mode & 0o777 == 0o600
    entry = PathStore.of(desk.folders).entries()[0]
    restarted = PathPolicy(PathStore.of(desk.folders), QuestionBoard())
    assert restarted.ask(ConsentQuestion(entry.recipe, "shelf", (entry.capability,))).value() is True
    other = shown(desk, tmp_path / "other")
    desk.wait(questions)
    answer(desk, "No")
    assert other.view is None


def test_the_folder_of_objects_needs_no_question(desk: Any) -> None:
    inside = desk.folders.data / "objects"
    inside.mkdir(parents=True)
    window = shown(desk, inside)
    desk.wait(lambda: window.view is not None)
    assert not questions()


def test_closing_the_window_closes_its_question(desk: Any, tmp_path: Path) -> None:
    window = shown(desk, tmp_path)
    desk.wait(questions)
    window.close()
    desk.wait(lambda: not questions())


def test_every_path_is_shown_before_it_is_allowed(desk: Any, tmp_path: Path) -> None:
    """Nobody agrees to thirty paths by the sight of twelve."""
    policy = PathPolicy(PathStore.of(desk.folders), QuestionBoard())
    paths = [str(tmp_path / str(number)) for number in range(30)]
    asked = tuple(Capability(CapabilityKind.READ_FILE, path) for path in paths)
    reply = policy.ask(ConsentQuestion("one", "shelf", asked))
    desk.wait(questions)
    (dialog,) = questions()
    (listed,) = dialog.findChildren(QTreeWidget)
    seen = set()
    rows = [row for at in range(3) if (row := listed.topLevelItem(at)) is not None]
    assert listed.topLevelItemCount() == len(rows) == 3
    for row in rows:
        listed.setCurrentItem(row)
        desk.bot.wait(1)
        words = "\n".join(label.text() for label in dialog.findChildren(QLabel)).replace("\u200b", "")
        assert re.search(r"and \d+ more", words) is None
        seen |= {path for path in paths if f"{path}\n" in words + "\n"}
    assert seen == set(paths)
    rows[0].setCheckState(0, Qt.CheckState.Checked)
    answer(desk, "Run the ticked")
    assert reply.value() is False, "the other paths were not allowed"

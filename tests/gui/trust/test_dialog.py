"""The trust question: its text, and the effect of each answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QListWidget, QPushButton, QTreeWidget
from tests.gui.trust.open_questions import PINNED, asked, asking, button, questions, run, texts
from tests.gui.trust.sign_library import LIBRARY, newer, recipe

from liven.app.trust.dialog import FactsArea, TrustQuestion
from liven.app.trust.preview_cache import PreviewCache
from liven.app.trust.question_row import Answer, Decision, code_row
from liven.app.trust.recipe_summary import RecipeSummary, host_of, summarize
from liven.app.trust.trust_store import TrustStore
from liven.app.trust.trusted_dialog import TrustedDialog
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.look.view.letters import font
from liven.runtime.library.placement import Confine
from liven.runtime.library.store import Store
from liven.runtime.library.trust import Question
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import NAME, Attribute, Object, Parameter, Plain, Reference, Requirement
from liven.runtime.reference.xml import write
from liven.runtime.signing.known_signers import day_for_people


def test_the_question_names_object_code_source_and_channels(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    [dialog] = questions()
    said = texts(dialog)
    shown = ("“Sign”", LIBRARY, "nobody vouches for it", "this machine", "sha256", "process of its own")
    for words in shown:
        assert words in said
    window.close()
    desk.wait(lambda: not questions())


def test_yes_runs_it(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    run(desk, questions()[0])
    desk.wait(lambda: window.view is not None)
    assert desk.trusted.entries() == ()


def test_code_with_a_hash_can_be_trusted_permanently(desk: Any) -> None:
    asked(desk, recipe(desk.folder))
    [dialog] = questions()
    [box] = dialog.findChildren(QCheckBox)
    assert box.isEnabled()
    assert "cannot be kept" not in texts(dialog) + box.toolTip()


def test_clicks_and_keys_just_after_the_question_appears_run_nothing(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The click or key was meant for the previous window."""
    monkeypatch.setattr("liven.app.trust.dialog.UNREAD_MS", 10**8)
    window = asked(desk, recipe(desk.folder))
    [dialog] = questions()
    hasty = button(dialog, "Run it")
    desk.click(hasty)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(hasty, key)
        if not dialog.isVisible():
            break  # Enter is a no
    QTest.keyClick(dialog, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    assert window.view is None
    assert not hasty.isEnabled()


def test_after_a_moment_the_code_can_be_run_by_mouse_and_keyboard(qtbot: Any) -> None:
    presses: list[Callable[[QPushButton], object]] = [
        lambda one: QTest.mouseClick(one, Qt.MouseButton.LeftButton),
        lambda one: QTest.keyClick(one, Qt.Key.Key_Space),
    ]
    for press in presses:
        dialog = asking(PINNED)
        qtbot.addWidget(dialog)
        answers: list[Any] = []
        dialog.answered.connect(answers.append)
        dialog.open()
        press(button(dialog, "Run it"))
        assert answers == []
        qtbot.waitUntil(button(dialog, "Run it").isEnabled, timeout=60_000)
        press(button(dialog, "Run it"))
        assert answers == [{PINNED: Decision(Answer.RUN)}]


def next_start(desk: Any) -> Any:
    """Return the next program of the same user."""
    desk.close()
    return type(desk)(desk.bot, desk.folder)


def test_without_the_tick_the_next_start_asks_again(desk: Any) -> None:
    thing = recipe(desk.folder)
    window = asked(desk, thing)
    run(desk, questions()[0])
    desk.wait(lambda: window.view is not None)
    assert desk.open(thing, "again").view is not None, "this time goes on until the program ends"
    assert list((desk.folders.data / "libraries").glob("*/*")) == []
    later = next_start(desk)
    asked(later, thing, "later")
    assert "after the next start of Liven" in texts(questions()[0])
    later.close()
    assert list(desk.folders.runtime.glob("libraries-*")) == []


def test_with_the_tick_no_start_asks_until_trust_is_withdrawn(desk: Any, qtbot: Any) -> None:
    thing = recipe(desk.folder)
    window = asked(desk, thing)
    [box] = questions()[0].findChildren(QCheckBox)
    QTest.keyClick(box, Qt.Key.Key_Space)
    run(desk, questions()[0])
    desk.wait(lambda: window.view is not None)
    later = next_start(desk)
    assert later.open(thing, "later").view is not None
    dialog = TrustedDialog(None, later.trusted, Store(desk.folders.data / "libraries"))
    qtbot.addWidget(dialog)
    dialog.open()
    [listed] = dialog.findChildren(QListWidget)
    assert listed.item(0).text().startswith("sign.py: library ")
    assert f"from {(desk.folder / 'sign.py').as_uri()}" in listed.item(0).text()
    QTest.keyClick(dialog.findChildren(QPushButton)[0], Qt.Key.Key_Space)
    last = next_start(later)
    asked(last, thing, "last")
    last.close()


def test_no_runs_nothing_and_enter_means_no(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    QTest.keyClick(questions()[0], Qt.Key.Key_Return)
    desk.wait(lambda: "You did not allow" in desk.words(window))
    assert window.view is None
    again = asked(desk, recipe(desk.folder), "again")
    QTest.keyClick(questions()[0], Qt.Key.Key_Escape)
    desk.wait(lambda: "You did not allow" in desk.words(again))


def test_a_declined_question_is_no_problem_and_can_be_repeated(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    desk.click(button(questions()[0], "Do not run"))
    desk.wait(lambda: "You did not allow" in desk.words(window))
    assert window._problem_counter.shown == 0
    [again] = window.centralWidget().findChildren(QPushButton)
    desk.click(again)
    desk.wait(questions)
    run(desk, questions()[0])
    desk.wait(lambda: window.view is not None)
    assert window._problem_counter.shown == 0


def test_trusted_code_is_not_asked_about(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    [dialog] = questions()
    [box] = dialog.findChildren(QCheckBox)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    run(desk, dialog)
    desk.wait(lambda: window.view is not None)
    [entry] = desk.trusted.entries()
    assert desk.trusted.allows(Question(LIBRARY, 1, entry.sha256, "", "https://elsewhere", "other"))
    assert not desk.trusted.allows(Question(LIBRARY, 1, "cd" * 32, "", "https://elsewhere", "other"))
    desk.trusted.forget(entry.sha256)
    assert desk.trusted.entries() == ()


def test_code_without_a_hash_cannot_be_trusted_permanently(desk: Any) -> None:
    asked(desk, recipe(desk.folder, pinned=False))
    [dialog] = questions()
    [box] = dialog.findChildren(QCheckBox)
    assert not box.isEnabled()
    for told in (box.toolTip(), box.accessibleDescription(), texts(dialog)):
        assert "It cannot be trusted permanently: the recipe has no hash" in told
    assert "the recipe has no hash" in texts(dialog)
    desk.click(button(dialog, "Do not run"))


def test_a_picture_shows_the_recipe_and_runs_nothing(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    desk.click(button(questions()[0], "picture only"))
    desk.wait(lambda: window.centralWidget().findChildren(QTreeWidget))
    [tree] = window.centralWidget().findChildren(QTreeWidget)
    assert tree.topLevelItem(0).text(1) == "“Sign”, example:sign"
    assert window.view is None


def test_the_last_picture_of_the_object_is_shown(desk: Any) -> None:
    first = asked(desk, recipe(desk.folder))
    run(desk, questions()[0])
    desk.wait(lambda: first.view is not None and first.contents_complete())
    first.close()
    seen = PreviewCache(desk.folders.cache / "pictures").picture(recipe(desk.folder))
    assert seen is not None
    assert seen.width() > 100


def named(thing: Object, name: str) -> Object:
    return replace(thing, attributes=(Attribute(NAME, name),))


@pytest.mark.parametrize("name", ["Sign", "Welcome", "Welcome/x"])
def test_an_object_with_the_name_of_another_window_is_asked_about_by_its_own_recipe(
    desk: Any, local_recipe: Any, name: str
) -> None:
    """Anyone can give a recipe any name. A picture, too, appears in the window that asked."""
    others = [desk.open(local_recipe("liven:text", each), each) for each in ("Welcome", "Sign")]
    feed = Parameter("title", Plain("string", "https://evil.example.org/feed"))
    thing = named(replace(recipe(desk.folder), parameters=(feed,)), name)
    window: Any = asked(desk, thing)
    [dialog] = questions()
    assert dialog.parent() == window
    assert "evil.example.org" in texts(dialog)
    desk.click(button(dialog, "picture only"))
    desk.wait(lambda: window.centralWidget().findChildren(QTreeWidget))
    for other in others:
        other.restart()
        desk.wait(lambda other=other: other.view is not None)
    assert window.view is None


def lay_down(desk: Any, window: Any) -> None:
    """Add an item as another user of the desktop does."""
    canvas = window.centralWidget()
    _, command = commands.add(canvas.state, write(recipe(desk.folder)).decode(), "Sign", Place(0, 0, 90, 90))
    canvas.do(command)
    desk.wait(questions)


def test_a_question_about_an_item_does_not_show_the_summary_of_its_desktop(
    desk: Any, local_recipe: Any
) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    lay_down(desk, window)
    [dialog] = questions()
    assert "“Table › " in texts(dialog)
    assert "others may have changed" in texts(dialog)
    assert "none in its recipe" not in texts(dialog)
    desk.click(button(dialog, "picture only"))
    assert window.view is not None
    assert not window.picture_only


@pytest.mark.parametrize("answer", ["Do not run", "picture only"])
@pytest.mark.parametrize("again", ["F5", "double click"])
def test_a_declined_item_says_so_and_can_be_asked_about_again(
    desk: Any, local_recipe: Any, answer: str, again: str
) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = desk.open(local_recipe("liven:desktop", "Table"))
    canvas = window.centralWidget()
    lay_down(desk, window)
    [key] = canvas.state.items
    desk.click(button(questions()[0], answer))
    desk.wait(lambda: canvas.item_views.is_declined(key))
    assert "you did not allow it" in canvas.item_views.why_not_shown(key)
    assert window._problem_counter.shown == 0
    assert window.problems.parts(window.step) == {}
    assert canvas.badges.words(canvas.state.items[key]) == ""
    canvas.camera.pan(QPointF(90_000, 0))
    canvas.viewport_changed()
    canvas.camera.pan(QPointF(-90_000, 0))
    canvas.viewport_changed()
    desk.bot.wait(1)
    assert not questions(), "nobody is asked again by looking there"
    at = canvas.camera.to_window(QPointF(45, 45)).toPoint()
    window.activateWindow()
    desk.wait(canvas.isActiveWindow)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    if again == "F5":
        QTest.keyClick(canvas, Qt.Key.Key_F5)
    else:
        QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    desk.wait(questions)
    run(desk, questions()[0])
    desk.wait(lambda: canvas.item_views.view(key) is not None)


def test_other_problems_of_a_declined_object_are_listed(desk: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = asked(desk, recipe(desk.folder))
    desk.click(button(questions()[0], "Do not run"))
    desk.wait(lambda: "You did not allow" in desk.words(window))
    assert window.problems.parts(window.step) == {}
    desk.problems.report(Problem(Kind.UNBUILT, (window.step, "frame"), "its part is broken"))
    assert window.problems.parts(window.step) == {"frame": 1}


def test_a_question_is_asked_again_after_its_window_was_closed(desk: Any, local_recipe: Any) -> None:
    desk.open(local_recipe("liven:text", "n"))
    table = local_recipe("liven:desktop", "Table")
    for _ in range(2):
        window = desk.open(table)
        lay_down(desk, window)
        window.close()
        desk.wait(lambda: not questions())
        assert desk.board.open_questions == 0


def test_texts_of_a_recipe_can_neither_imitate_nor_hide_the_question(qtbot: Any) -> None:
    url = "https://evil.org/\n(liven.example.org)\u202e" + "x" * 100_000
    question = replace(PINNED, url=url, reason="n" * 100_000, signer="s" * 100_000)
    dialog = asking(question, RecipeSummary(("c" * 100_000,), ("h\nMade by: us",), ()))
    qtbot.addWidget(dialog)
    dialog.open()
    said = texts(dialog)
    assert "\nMade by: us" not in said
    assert "\u202e" not in said
    assert "evil.org" in [label.text() for label in dialog.findChildren(QLabel)]
    assert dialog.sizeHint().height() < dialog.screen().size().height()
    assert dialog.sizeHint().width() < 1200


def test_buttons_stay_on_the_screen_with_large_letters(qtbot: Any, qapp: QApplication) -> None:
    plain = QFont(qapp.font())
    qapp.setFont(font("body", scale=1.6))
    try:
        question = replace(PINNED, url="https://evil.org/" + "x" * 100_000, signer="s" * 100_000)
        dialog = asking(question, RecipeSummary(("c" * 100_000,), ("h",), ()))
        qtbot.addWidget(dialog)
        dialog.open()
        qtbot.waitUntil(dialog.isVisible)
        below = button(dialog, "Do not run")
        assert below.mapTo(dialog, below.rect().bottomLeft()).y() < dialog.screen().size().height()
        [area] = dialog.findChildren(FactsArea)
        assert area.verticalScrollBar().maximum() > 0
    finally:
        qapp.setFont(plain)


def test_two_objects_with_the_same_code_are_one_question(desk: Any) -> None:
    thing = recipe(desk.folder)
    one = asked(desk, thing, "one")
    two = desk.windows.open_file(desk.file("two", thing))
    desk.wait(lambda: [len(one.waiting) for one in desk.board._open.values()] == [2])
    assert len(questions()) == 1
    run(desk, questions()[0])
    desk.wait(lambda: one.view is not None and two.view is not None)


def test_when_the_window_of_a_shared_question_closes_another_window_asks(
    desk: Any,
) -> None:
    thing = recipe(desk.folder)
    one = asked(desk, thing, "one")
    two = desk.windows.open_file(desk.file("two", thing))
    desk.wait(lambda: [len(one.waiting) for one in desk.board._open.values()] == [2])
    one.close()
    desk.wait(lambda: [dialog.parent() for dialog in questions()] == [two])
    desk.wait(button(questions()[0], "Run it").isEnabled)
    desk.click(button(questions()[0], "Run it"))
    desk.wait(lambda: two.view is not None)
    assert desk.board.open_questions == 0


def test_cancelling_loading_closes_the_question(desk: Any) -> None:
    window = asked(desk, recipe(desk.folder))
    window.close()
    desk.wait(lambda: not questions())


def test_the_reach_of_a_recipe_names_channels_and_hosts(desk: Any, local_recipe: Any) -> None:
    from liven.app.palette.new_objects import note

    known = desk.program.session.known

    shared = note("n", "my channel")
    assert summarize(shared, known).channels == ("my channel",)
    seeded = note("n", "other", "c2VlZA==")
    assert "other" in summarize(seeded, known).channels[0]
    need = Requirement("AB`1", 1, url="https://example.org/x.py")
    named = Reference("x", (Parameter("feed", Plain("string", "http://feeds.test/a")),), requires=(need,))
    assert summarize(named, known) == RecipeSummary((), ("example.org", "feeds.test"), ("AB`1",))
    assert summarize(local_recipe("liven:text", "n"), known) == RecipeSummary((), (), ())


def test_a_channel_is_named_however_its_class_and_its_folder_are_written(desk: Any) -> None:
    """A class written by its id looked like no channel at all."""
    known = desk.program.session.known
    name = Parameter("name", Plain("string", "secrets"))
    keeper = "5373F7F0DBCD1E8AF9CC47CF32E5A918"
    entry = known.catalogue.find("liven:shared-channel", "component")
    for spelling in ("liven:shared-channel", str(entry.id), f"{{{str(entry.id).lower()}}}"):
        assert summarize(Reference(spelling, (name,)), known).channels == ("secrets",)
    kept = summarize(Reference(keeper, (name,)), known)
    assert (kept.channels, kept.kept) == (("secrets",), ("secrets",))
    registries = (Reference("liven:registry"), Reference("E8C9D312C27649F39812B8E99AA67CBC"))
    for registry in registries:
        for key in (
            "communication",
            "011E83FA6A9F426993BB8EF26FF7D7B8",
            "{011e83fa6a9f426993bb8ef26ff7d7b8}",
        ):
            channel = Reference("standup", source=Reference(key, source=registry))
            shared = Reference("x", (Parameter("channel", channel),))
            assert summarize(shared, known).channels == ("standup",)
    path = Parameter("path", Plain("string", "/etc/passwd"))
    for spelling in ("liven:local-file", "0F6280C168784136A591A5B4CB2DB197"):
        assert "read the file /etc/passwd" in summarize(Reference(spelling, (path,)), known).paths


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://a.b:9/c", "a.b"),
        ("file:///tmp/x", "this machine"),
        ("words", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_a_host_is_read_from_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize("text", ["", "[", '{"a": 1}', '[{"sha256": "x"}]', "[1]"])
def test_an_unreadable_trust_file_trusts_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trusted.json"
    path.write_text(text)
    trusted = TrustStore(path)
    assert trusted.entries() == ()
    assert not trusted.allows(PINNED)
    trusted.remember(PINNED)
    assert trusted.allows(PINNED)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ValueError, match="without a hash"):
        trusted.remember(Question(LIBRARY, 1, "", "", "", ""))


def test_closing_the_question_is_a_no(qtbot: Any) -> None:
    dialog = asking(PINNED, RecipeSummary(tuple(map(str, range(12))), (), ()))
    qtbot.addWidget(dialog)
    answers: list[Any] = []
    dialog.answered.connect(answers.append)
    dialog.open()
    assert "and 4 more" in texts(dialog)
    dialog.close()
    assert answers == [{PINNED: Decision(Answer.NO)}]


def test_choosing_the_picture_applies_to_all_objects_that_wait(desk: Any) -> None:
    thing = recipe(desk.folder)
    one = asked(desk, thing, "one")
    two = desk.windows.open_file(desk.file("two", thing))
    desk.wait(lambda: [len(one.waiting) for one in desk.board._open.values()] == [2])
    desk.click(button(questions()[0], "picture"))
    desk.wait(lambda: one.picture_only and two.picture_only)
    desk.wait(lambda: not questions())


def test_the_time_limit_for_loading_does_not_run_during_the_question(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question stays open, and loading does not fail meanwhile."""
    monkeypatch.setattr("liven.app.program.composition.TIME_LIMIT", 0.02)
    window = asked(desk, recipe(desk.folder))
    later: list[bool] = []
    desk.dispatcher.call_later(0.1, lambda: later.append(True))
    desk.wait(lambda: later)
    [dialog] = questions()
    assert window.awaited is not None
    desk.click(button(dialog, "Do not run"))
    desk.wait(lambda: "You did not allow" in desk.words(window))
    assert "was not ready" not in desk.words(window)


def test_trusted_code_is_listed_and_withdrawn_by_keyboard(desk: Any, qtbot: Any) -> None:
    for number in (1, 2):
        desk.trusted.remember(Question(f"LIB{number}", number, f"{number:064x}", "", "", "it"))
    dialog = TrustedDialog(None, desk.trusted, Store(desk.folders.data / "libraries"))
    qtbot.addWidget(dialog)
    dialog.open()
    [listed] = dialog.findChildren(QListWidget)
    assert [listed.item(at).text().split(",")[0] for at in range(2)] == ["library LIB2", "library LIB1"]
    [again, _] = dialog.findChildren(QPushButton)
    QTest.keyClick(again, Qt.Key.Key_Space)
    assert [one.library for one in desk.trusted.entries()] == ["LIB1"]
    QTest.keyClick(again, Qt.Key.Key_Space)
    assert desk.trusted.entries() == ()
    assert not again.isEnabled()
    assert "No code is trusted" in dialog.findChildren(QLabel)[0].text()


def test_a_failed_withdrawal_of_trust_says_why(
    desk: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    desk.trusted.remember(PINNED)
    dialog = TrustedDialog(None, desk.trusted, Store(desk.folders.data / "libraries"))
    qtbot.addWidget(dialog)
    monkeypatch.setattr(TrustStore, "forget", full)
    desk.click(dialog.findChildren(QPushButton)[0])
    assert (
        "It is still trusted, because the change could not be saved: No space left on device."
        in dialog.findChildren(QLabel)[0].text()
    )


def test_the_menu_opens_the_list_of_trusted_code(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    desk.press(window, "Trusted code…")
    [dialog] = window.findChildren(TrustedDialog)
    assert dialog.isVisible()
    dialog.close()


def test_version_and_content_are_one_sentence(desk: Any, qtbot: Any) -> None:
    del desk
    pinned, any_content = (asking(one) for one in (PINNED, replace(PINNED, sha256="")))
    for dialog in (pinned, any_content):
        qtbot.addWidget(dialog)
    assert "version 1, exactly the content with sha256 abab" in texts(pinned)
    assert "or later" not in texts(pinned)
    assert "version 1 or later, whatever is there when it is downloaded" in texts(any_content)


@pytest.mark.parametrize("confine", list(Confine))
def test_the_question_says_which_rights_the_settings_give(qtbot: Any, confine: Confine) -> None:
    dialog = TrustQuestion(None, {PINNED: code_row(PINNED, None, None, confine)})
    qtbot.addWidget(dialog)
    assert ("in a process of its own" in texts(dialog)) == (confine is not Confine.NONE)
    assert ("with your rights" in texts(dialog)) == (confine is Confine.NONE)


def test_the_question_about_a_newer_version_names_the_one_that_is_here(desk: Any) -> None:
    first = asked(desk, recipe(desk.folder))
    assert "Newer than" not in texts(questions()[0])
    run(desk, questions()[0])
    desk.wait(lambda: first.view is not None)
    asked(desk, newer(desk.folder), "newer")
    assert "version 1 of this library, which is on this computer" in texts(questions()[0])


def test_days_are_written_out_in_the_list_of_trusted_code(desk: Any, qtbot: Any) -> None:
    desk.trusted.remember(PINNED)
    dialog = TrustedDialog(None, desk.trusted, Store(desk.folders.data / "libraries"))
    qtbot.addWidget(dialog)
    [listed] = dialog.findChildren(QListWidget)
    assert f"since {day_for_people(desk.trusted.entries()[0].day)}" in listed.item(0).text()
    assert day_for_people("2026-11-19") == "19 November 2026"

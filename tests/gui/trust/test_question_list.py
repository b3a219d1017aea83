"""Many questions at once are one list; signers whom one trusts are not asked about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QTreeWidget
from tests.gui.trust.open_questions import PINNED, asking, button, questions, run, texts

from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.question_row import code_row
from liven.runtime.library.trust import Question


def need(number: int, **given: str) -> Question:
    url = f"https://e{number}.test/x.py"
    return Question(f"{number:032X}", 1, f"{number:064x}", given.get("signer", ""), url, f"Table/{number}")


def ask(desk: Any, *questions_: Question) -> list[Any]:
    """Ask above one window, and return the replies."""
    return [desk.asking.ask(one) for one in questions_]


def ticks(dialog: TrustQuestion) -> list[Any]:
    [tree] = dialog.findChildren(QTreeWidget)
    return [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]


@pytest.fixture
def table(desk: Any, local_recipe: Any) -> Any:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)  # else it takes the keys from the question
    return window


def test_many_questions_are_one_list_in_which_each_is_chosen(desk: Any, table: Any) -> None:
    replies = ask(desk, *map(need, range(200)))
    desk.wait(questions)
    [dialog] = questions()
    rows = ticks(dialog)
    assert len(rows) == 200
    assert {row.checkState(0) for row in rows} == {Qt.CheckState.Unchecked}
    assert rows[7].text(0) == "Table › 7"
    assert "code from e7.test" in rows[7].text(1)
    desk.bot.wait(1)
    assert not button(dialog, "Run the ticked").isEnabled(), "nothing is ticked"
    for row in (rows[7], rows[9]):
        row.setCheckState(0, Qt.CheckState.Checked)
    desk.wait(button(dialog, "Run the ticked").isEnabled)
    desk.click(button(dialog, "Run the ticked"))
    desk.wait(lambda: all(one.settled for one in replies))
    assert [at for at, one in enumerate(replies) if one.value()] == [7, 9]
    assert not questions()


def test_no_to_all_answers_later_questions_of_the_window_too(desk: Any, table: Any) -> None:
    """Objects that are loaded later, one after the other, ask nobody."""
    first = ask(desk, *map(need, range(3)))
    desk.wait(questions)
    QTest.keyClick(questions()[0], Qt.Key.Key_Return)
    desk.wait(lambda: all(one.settled for one in first))
    later = ask(desk, *map(need, range(3, 200)))
    assert all(one.settled and not one.value() for one in (*first, *later))
    assert not questions()
    again = ask(desk, need(5))
    desk.wait(questions)
    assert not again[0].settled, "the person has restarted this one"
    questions()[0].reject()
    desk.windows.before_reload(table)
    ask(desk, need(300))
    desk.wait(questions)
    questions()[0].reject()


def test_no_to_one_question_says_nothing_about_others(desk: Any, table: Any) -> None:
    ask(desk, need(1))
    desk.wait(questions)
    questions()[0].reject()
    ask(desk, need(2))
    desk.wait(questions)
    questions()[0].reject()


def test_a_question_that_comes_late_has_to_be_read_before_anything_runs(desk: Any, table: Any) -> None:
    ask(desk, need(1))
    desk.wait(questions)
    [dialog] = questions()
    desk.wait(button(dialog, "Run it").isEnabled)
    dialog._read.setInterval(10**8)
    ask(desk, need(2))
    desk.wait(lambda: dialog.findChildren(QTreeWidget))
    assert questions() == [dialog]
    for row in ticks(dialog):
        row.setCheckState(0, Qt.CheckState.Checked)
    assert not button(dialog, "Run the ticked").isEnabled()
    dialog.reject()


def test_a_withdrawn_question_leaves_the_list(desk: Any, table: Any) -> None:
    replies = ask(desk, *map(need, range(3)))
    desk.wait(questions)
    replies[1].cancel()
    [dialog] = questions()
    desk.wait(lambda: [row.text(0) for row in ticks(dialog)] == ["Table › 0", "Table › 2"])
    replies[0].cancel()
    desk.wait(lambda: "“Table › 2” needs code" in texts(dialog))
    assert not button(dialog, "Run it").isEnabled(), "a click meant for the list runs nothing"
    replies[2].cancel()
    desk.wait(lambda: not questions())


def test_the_number_of_open_questions_is_limited(
    desk: Any, table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liven.app.trust.question_board.MOST", 3)
    replies = ask(desk, *map(need, range(5)))
    desk.wait(questions)
    assert [one.settled for one in replies] == [False, False, False, True, True]
    questions()[0].reject()


def test_a_known_signer_is_named_with_the_day_of_the_first_meeting(desk: Any, qtbot: Any) -> None:
    key = "ab" * 32
    question = replace(PINNED, signer=key, signed_as="Ann's laptop")
    stranger = asking(question)
    qtbot.addWidget(stranger)
    assert "somebody who claims to be “Ann's laptop” whom you have not met; key abab" in texts(stranger)
    desk.signers.meet(key, "Ann's laptop")
    known = desk.signers.find(key)
    dialog = TrustQuestion(None, {question: code_row(question, None, known)})
    qtbot.addWidget(dialog)
    assert f"Ann's laptop, known {known.since_when}, key abab abab" in texts(dialog)


def test_new_versions_of_a_trusted_signer_are_not_asked_about(desk: Any, table: Any) -> None:
    key = "ab" * 32
    first = ask(desk, replace(need(1), signer=key, signed_as="Ann's laptop"))
    desk.wait(questions)
    [dialog] = questions()
    [_, tick] = dialog.findChildren(QCheckBox)
    assert "“Ann's laptop”" not in tick.text(), "a claim is not the name of somebody"
    tick.setChecked(True)
    run(desk, dialog)
    desk.wait(lambda: first[0].settled)
    assert desk.signers.find(key).trusted
    newer = ask(desk, replace(need(2), signer=key))
    assert newer[0].settled
    assert newer[0].value()
    elsewhere = ask(desk, replace(need(3), signer=key, sent_on_from="e4.test"))
    desk.wait(questions)
    assert not elsewhere[0].settled, "trust in a signer names no new host"
    assert "e4.test sends on to e3.test" in texts(questions()[0])
    questions()[0].reject()

"""The questions that are open, and what a person does with them."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from tests.gui.trust.sign_library import LIBRARY

from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.question_row import code_row
from liven.app.trust.recipe_summary import RecipeSummary
from liven.runtime.library.trust import Question
from liven.runtime.reference.model import Object

PINNED = Question(LIBRARY, 1, "ab" * 32, "", "https://example.org/sign.py", "Sign/part")


def questions() -> list[TrustQuestion]:
    return [one for one in QApplication.allWidgets() if isinstance(one, TrustQuestion) and one.isVisible()]


def button(dialog: TrustQuestion, words: str) -> QPushButton:
    [found] = [one for one in dialog.findChildren(QPushButton) if words in one.text().replace("&", "")]
    return found


def texts(dialog: TrustQuestion) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def run(desk: Any, dialog: TrustQuestion) -> None:
    """Press the button as soon as it is enabled."""
    desk.wait(button(dialog, "Run it").isEnabled)
    desk.click(button(dialog, "Run it"))


def asking(question: Question, reach: RecipeSummary | None = None) -> TrustQuestion:
    return TrustQuestion(None, {question: code_row(question, reach, None)})


def asked(desk: Any, thing: Object, name: str = "sign") -> Any:
    window = desk.windows.open_file(desk.file(name, thing))
    desk.wait(questions)
    return window

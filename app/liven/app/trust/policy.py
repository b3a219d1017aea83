"""The answer to the trust question in a program with windows: a remembered one, or the user's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from liven.app.trust.question_board import QuestionBoard
from liven.app.trust.question_row import Answer, Decision, code_row
from liven.app.trust.recipe_summary import RecipeSummary, host_of, needs, summarize
from liven.app.trust.trust_store import TrustStore
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.placement import Confine
from liven.runtime.library.trust import Permission, Question
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object
from liven.runtime.signing.known_signers import KnownSigners, Signer, SignerError


@runtime_checkable
class AskingWindow(Protocol):
    """The window above which to ask."""

    recipe: Object | None
    picture_only: bool
    """Set if the user chose the picture."""
    declined: bool
    """Set if the user declined; that is not a problem."""

    def show_message(self, message: str) -> None: ...


class TrustPolicy:
    """Ask about each code once, however many objects wait for the answer."""

    def __init__(
        self,
        trusted: TrustStore,
        signers: KnownSigners,
        board: QuestionBoard,
        confine: Confine = Confine.FETCHED,
    ) -> None:
        """`confine` is the person's setting, which the question tells."""
        self._trusted = trusted
        self._signers = signers
        self._board = board
        self._confine = confine
        self.window_of: Callable[[Question], QWidget | None] = lambda _: None
        """Returns the window of the object that needs the code."""
        self.known: TypeKnowledge | None = None
        """The classes of this program, to say what a recipe reaches."""

    def ask(self, question: Question) -> Reply[Permission]:
        """Return the answer, which may take time."""
        reply: Reply[Permission] = Reply()
        signer = self._known_signer(question.signer)
        if self._is_allowed(question, signer):
            reply.resolve(Permission.KEPT)
            return reply
        window = self.window_of(question)
        row = code_row(question, self._reach_of(window, question), signer, self._confine)
        withdraw = self._board.ask(
            replace(question, reason=""),
            question.reason,
            row,
            window,
            lambda decision: self._answered(reply, question, window, decision),
        )
        reply.on_cancel(withdraw)
        return reply

    def _is_allowed(self, question: Question, signer: Signer | None) -> bool:
        """Return True if the content or its signer is trusted. Trust in either names no new host."""
        if question.sent_on_from:
            return False
        return self._trusted.allows(question) or (signer is not None and signer.trusted)

    def _known_signer(self, key: str) -> Signer | None:
        """Return the known owner of a key. If the file of signers cannot be read, nobody is known."""
        try:
            return self._signers.find(key) if key else None
        except SignerError:
            return None

    def _answered(
        self, reply: Reply[Permission], question: Question, window: QWidget | None, decision: Decision
    ) -> None:
        leave = Permission.ONCE if decision.answer is Answer.RUN else Permission.NO
        if leave and (decision.permanent or decision.signer) and self._remember(question, window, decision):
            leave = Permission.KEPT
        asking = _asking(window)
        if asking is not None and needs(asking.recipe, question):
            asking.picture_only = asking.picture_only or decision.answer is Answer.PICTURE
            asking.declined = asking.declined or decision.answer is Answer.NO
        reply.resolve(leave)

    def _remember(self, question: Question, window: QWidget | None, decision: Decision) -> bool:
        try:
            if decision.permanent and question.sha256:
                self._trusted.remember(question)
            if decision.signer and question.signer:
                self._trust_signer(question)
        except (OSError, ValueError) as error:
            asking = _asking(window)
            if asking is not None:
                asking.show_message(f"It runs, but your answer could not be saved: {error}")
            return False
        return True

    def _trust_signer(self, question: Question) -> None:
        """Trust a signer. If the reference does not prove the name, the key is called after the host of its
        library."""
        known = self._signers.find(question.signer)
        name = known.name if known is not None else question.signed_as
        self._signers.meet(question.signer, name or f"the signer at {host_of(question.url)}", trust=True)

    def _reach_of(self, window: QWidget | None, question: Question) -> RecipeSummary | None:
        """Return the summary of a window's recipe; None if the question comes from something inside the
        object."""
        asking = _asking(window)
        if self.known is None or asking is None or asking.recipe is None:
            return None
        return summarize(asking.recipe, self.known) if needs(asking.recipe, question) else None


def _asking(window: object) -> AskingWindow | None:
    return window if isinstance(window, AskingWindow) else None

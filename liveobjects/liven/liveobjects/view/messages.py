"""Messages that views share: failures that stay until they are resolved, and the results of undo and redo."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.view.contract import ActingHost, ViewHost
from liven.runtime.fold import RefusedError


class FailureMessages:
    """The failures that a view has reported, at most one of each kind, until the same kind succeeds."""

    def __init__(self, host: ViewHost) -> None:
        self._host = host
        self._shown: dict[str, str] = {}

    def show(self, kind: str, message: str) -> None:
        """Report a failure."""
        self._shown[kind] = message
        self._host.show_message(message)

    def withdraw(self, *kinds: str) -> None:
        """Withdraw the messages of these kinds, after a success or before another attempt."""
        for kind in kinds:
            if kind in self._shown:
                self._host.withdraw_message(self._shown.pop(kind))


def offer_undo(host: ViewHost, done: str, undo: Callable[[], object]) -> None:
    """Say what was done, with a button that undoes it, if the host's messages may have one."""
    if isinstance(host, ActingHost):
        host.show_act(done, "Undo", undo)


def undo_and_report(undo: Callable[[], str | None], host: ViewHost) -> None:
    """Undo a step and show its name, if there was one."""
    _report_step(undo, host, "Undone", "There is nothing of yours to undo.")


def redo_and_report(redo: Callable[[], str | None], host: ViewHost) -> None:
    """Redo a step and show its name, if there was one."""
    _report_step(redo, host, "Redone", "There is nothing to redo.")


def _report_step(step: Callable[[], str | None], host: ViewHost, done: str, nothing: str) -> None:
    try:
        name = step()
    except RefusedError as why:  # for example while the channel is full
        host.show_message(f"{str(why)[:1].upper()}{str(why)[1:]}.")
    else:
        if name is None:
            host.show_message(nothing)
        elif name:  # else the object has explained why nothing was done
            host.show_message(f"{done}: {name}")

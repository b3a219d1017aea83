"""A recorded object in its sandbox, with the view that shows it and the transport that plays it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.replay.opening import opened
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.target.sandbox import BuildsClasses, Sandbox
from liven.liveobjects.feeds.replay.transport import Transport
from liven.liveobjects.feeds.view.transport.transport_playback import TransportPlayback
from liven.liveobjects.feeds.view.value.plain_value import PlainValue
from liven.liveobjects.view.contract import NoViewError, View, ViewHost, view_of
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import NothingToShowError, OpenInterface
from liven.runtime.problems import Problem, Problems
from liven.runtime.reference.model import Object

_PICTURE_MS: Final = 33
"""Milliseconds between two pictures of a value."""


class SandboxShow(QObject):
    """One replayed object on the screen. `close` ends it."""

    shown = Signal()
    """`widget` shows the object now."""
    failed = Signal(str)
    """The object cannot be shown; with the reason."""
    troubled = Signal(str)
    """Something in the object went wrong; with a sentence."""

    def __init__(
        self,
        source: Source,
        thing: Object,
        dispatcher: Dispatcher,
        known: TypeKnowledge,
        classes: BuildsClasses | None,
        host: ViewHost,
        user_keys: Callable[[], UserKeys],
    ) -> None:
        super().__init__()
        self.source = source
        self.thing = thing
        self._host = host
        self._problems = Problems()
        self.sandbox = Sandbox(
            source, thing, dispatcher, self._problems, known, classes=classes, user_keys=user_keys
        )
        self._problems.listen(self._troubled)
        player = Player(source, self.sandbox, dispatcher.now, window=opened(source))
        self.playback = TransportPlayback(Transport(player, dispatcher))
        self._next_picture = _Picture(self._show_present_value, self)
        self._showing: OpenInterface | None = None
        self.view: View | None = None
        self.value: PlainValue | None = None
        """The value of an object that is a stream without a view."""
        self._closed = False
        self._told: set[str] = set()

    @property
    def widget(self) -> QWidget | None:
        """The widget of the object, or of its value; None until it is shown."""
        if self.value is not None:
            return self.value.widget
        return None if self.view is None else self.view.widget()

    @property
    def model(self) -> object:
        """The replayed object itself; None until it is shown."""
        return None if self._showing is None else self._showing.shown.model

    def open(self) -> None:
        """Build the object and show it."""
        self.sandbox.open().then(self._built)

    def close(self) -> None:
        """End the replay and the object."""
        if self._closed:
            return
        self._closed = True
        self._next_picture.stop()
        self.playback.close()
        self._close_view()
        self.sandbox.close()
        self.source.close()

    def _built(self, done: Reply[ProxyHandle]) -> None:
        if self._closed:
            return
        if done.error is not None:
            self.failed.emit(f"The recorded object cannot be built: {done.error}")
            return
        try:
            self._showing = OpenInterface.of(self.sandbox.node, done.value(), self._gone)
            self.view = view_of(self._showing.shown, self._host)
            self.view.widget()
        except (NothingToShowError, NoViewError) as error:
            if self.sandbox.is_value:
                self._show_value()
            else:
                self.failed.emit(f"The recorded object cannot be shown: {error}")
        except Exception as error:  # code of the view's author
            self.failed.emit(
                f"The view of the recorded object does not start: {type(error).__name__}: {error}"
            )
        else:
            self.shown.emit()

    def _show_value(self) -> None:
        """Show the value of a stream, which has no view, and follow it: a seek gives thousands of values at
        once, of which a person sees the last one of each picture."""
        self.value = PlainValue()
        self.sandbox.on_change = self.sandbox.on_value = self._next_picture.start_if_idle
        self._show_present_value()
        self.shown.emit()

    def _show_present_value(self) -> None:
        if self.value is not None and not self._closed:
            self.value.show(self.sandbox.value)

    def _gone(self) -> None:
        self._close_view()
        if not self._closed:
            self.failed.emit("The recorded object stopped because of an error.")

    def _close_view(self) -> None:
        view, self.view = self.view, None
        showing, self._showing = self._showing, None
        if view is not None:
            view.close()
        if showing is not None:
            showing.close()

    def _troubled(self, problem: Problem) -> None:
        words = str(problem)
        if not self._closed and words not in self._told:
            self._told.add(words)
            self.troubled.emit(words)


class _Picture(QTimer):
    """The next picture of what changes faster than anybody can see."""

    def __init__(self, paint: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent, singleShot=True, interval=_PICTURE_MS)
        self.timeout.connect(paint)

    def start_if_idle(self) -> None:
        """Paint soon, unless that is due already."""
        if not self.isActive():
            self.start()


class PastHost:
    """The host of a view that is not live: it passes messages on, and opens nothing."""

    def __init__(self, say: Callable[[str], object], withdraw: Callable[[str], object]) -> None:
        self._say = say
        self._withdraw = withdraw

    def show_message(self, message: str) -> None:
        self._say(message)

    def withdraw_message(self, message: str) -> None:
        self._withdraw(message)

    def open_object(self, recipe: str, name: str) -> None:
        """Refuse: a window of its own would show the live object."""
        del recipe
        self._say(f"“{name}” is shown as it was; return to now to open it.")

"""The window as an object: what its recipe gives it to show, or what a person puts into it here."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.fold import RefusedError
from liven.runtime.context import Context
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.folder.interface import AnyObject
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reply import Reply
from liven.runtime.showing import Showing, Shown
from liven.types.declare import ExportedUI, ImportedUI, Ref, proxy
from liven.types.explain import Explanation


class UnseenError(RefusedError):
    """What was put in has nothing to show; `found` is why."""

    def __init__(self, found: Explanation) -> None:
        super().__init__(found.render())
        self.found = found


@proxy(
    id="C3073050408D40529B63DD5BD932319D",
    alias="liven:window",
    view="liven.liveobjects.window.view:make",
)
class WindowObject:
    """A caption over one object. What is put in here is seen here alone: the recipe stays as it is."""

    UI: ExportedUI
    ui: ImportedUI

    def __init__(
        self,
        context: Context,
        caption: str = "",
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        self.context = context
        self.caption = caption
        self.trouble = ""
        """Why what was put in cannot be seen; empty if nothing is wrong."""
        self.watchers: list[Callable[[], object]] = []
        self._asked: Reply[ProxyHandle] | None = None
        self._handle: ProxyHandle | None = None
        self._showing: Showing | None = None

    @property
    def content(self) -> Shown | None:
        """What is shown in the window."""
        if self._showing is not None:
            return self._showing.shown
        given = self.context.shown("ui")
        return given if isinstance(given, Shown) else None

    @property
    def is_own(self) -> bool:
        """Whether what is shown is what the recipe gives, and was not put in here."""
        return self._showing is None

    @property
    def loading(self) -> bool:
        """Whether something that was put in is being built."""
        return self._asked is not None

    def put(self, recipe: str, name: str) -> None:
        """Shows another object in place of what is there; UnseenError for what cannot be seen."""
        fits = self.context.fits(recipe, Showable)
        if not fits:
            raise UnseenError(fits)
        self.take_out()
        asked = self._asked = self.context.dereference(recipe, name or "content")
        self._tell()
        asked.then(lambda done: self._built(asked, done))

    def takes(self, recipe: str) -> bool:
        """Whether it could be shown here; nothing changes."""
        return bool(self.context.fits(recipe, Showable))

    def take_out(self) -> None:
        """Shows again what the recipe gives."""
        asked, self._asked = self._asked, None
        if asked is not None:
            asked.cancel()
        self._let_go()
        self.trouble = ""
        self._tell()

    def ui_connected(self) -> None:
        self._tell()

    def ui_disconnected(self) -> None:
        self._tell()

    def on_end(self) -> None:
        """What was put in ends too."""
        self._let_go()

    def _built(self, asked: Reply[ProxyHandle], done: Reply[ProxyHandle]) -> None:
        if self._asked is not asked:
            return
        self._asked = None
        try:
            self._handle = done.value()
            self._showing = self.context.show(self._handle, self._gone)
        except ObjectRuntimeError as error:
            self._let_go()
            self.trouble = str(error)
        self._tell()

    def _gone(self) -> None:
        self._let_go()
        self.trouble = "it has ended"
        self._tell()

    def _let_go(self) -> None:
        showing, self._showing = self._showing, None
        handle, self._handle = self._handle, None
        if showing is not None:
            showing.close()
        if handle is not None:
            handle.close()

    def _tell(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()

"""The object inside one window: built from its recipe, shown, and ended when it is removed.

A window can end up inside itself, directly or through others, and nobody notices that when it is put in. Each
window therefore registers the recipe that it runs, and the same recipe is not started again inside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.desktop.object import Showable
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.fold import keep_undo
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import UI, OpenInterface, Shown
from liven.runtime.problems import Path
from liven.types.explanation import Explanation

DEEPEST: Final = 8
"""The deepest nesting of windows: each is painted inside the one around it."""
_ITSELF: Final = "it would contain itself; remove it or put something else in"
_TOO_DEEP: Final = f"{DEEPEST} windows are nested here, which is the limit; open it on its own"


class Nesting:
    """The recipes that run in the windows of this program, with their paths."""

    def __init__(self) -> None:
        self.running: dict[Content, tuple[Path, str]] = {}

    def around(self, path: Path) -> list[str]:
        """Return the recipes of the windows around `path`."""
        return [
            reference
            for where, reference in self.running.values()
            if len(where) < len(path) and path[: len(where)] == where
        ]


class Content:
    """The content of one window. `changed` is called whenever something else shows."""

    def __init__(self, context: Context, changed: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._nesting: Nesting | None = None
        self._asked: Reply[ProxyHandle] | None = None
        self._handle: ProxyHandle | None = None
        self._showing: OpenInterface | None = None
        self._forget: Callable[[], object] = lambda: None
        self.reference = ""
        """The recipe of the inner object; empty for none."""
        self.name = ""
        self.trouble = ""
        """The reason why it cannot be shown; empty if nothing is wrong."""

    @property
    def shown(self) -> Shown | None:
        """The shown object, once it runs."""
        return None if self._showing is None else self._showing.shown

    @property
    def loading(self) -> bool:
        """True while the object is being built."""
        return self._asked is not None

    @property
    def step(self) -> str:
        """The path step of the inner object in problem reports; empty if there is none."""
        return (self.name or "content") if self.reference else ""

    def fault(self, reference: str) -> str:
        """Return the reason why a recipe cannot run in this window; empty if it can."""
        around = self._nest().around(self._context.path)
        if reference in around:
            return _ITSELF
        return _TOO_DEEP if len(around) >= DEEPEST else ""

    def begin(self, reference: str, name: str) -> None:
        """Run another object. The person's own objects were checked before; those by others are checked
        here, because they may be anything. An object whose type is unknown until its code is loaded is built,
        which asks about the code."""
        self._let_go()
        self.reference, self.name = reference, name
        self.trouble = self.fault(reference) or _unseeable(self._context.fits(reference, Showable))
        if not self.trouble:
            self._nest().running[self] = (self._context.path, reference)
            asked = self._asked = self._context.dereference(reference, self.step)
            self._changed()
            asked.then(lambda done: self._built(asked, done))
        else:
            self._changed()

    def end(self) -> None:
        """End the inner object."""
        self._let_go()
        self.reference = self.name = self.trouble = ""
        self._changed()

    def close(self) -> None:
        """End the inner object together with the window."""
        self._let_go()

    def _built(self, asked: Reply[ProxyHandle], done: Reply[ProxyHandle]) -> None:
        if self._asked is not asked:
            return
        self._asked = None
        try:
            self._handle = done.value()
            showing = self._showing = self._context.show(self._handle, self._gone)
        except ObjectRuntimeError as error:
            self._fail(str(error))
            return
        self._forget = keep_undo(self._context, self.reference, showing.shown.model)
        self._changed()

    def _gone(self) -> None:
        self._fail("it has ended")

    def _fail(self, why: str) -> None:
        self._let_go()
        self.trouble = why
        self._changed()

    def _let_go(self) -> None:
        self._nest().running.pop(self, None)
        asked, self._asked = self._asked, None
        forget, self._forget = self._forget, lambda: None
        showing, self._showing = self._showing, None
        handle, self._handle = self._handle, None
        if asked is not None:
            asked.cancel()
        forget()
        if showing is not None:
            showing.close()
        if handle is not None:
            handle.close()

    def _nest(self) -> Nesting:
        if self._nesting is None:
            self._nesting = self._context.shared(Nesting)
        return self._nesting


def _unseeable(found: Explanation) -> str:
    """Return the reason why an object cannot be shown, if that is known before it runs."""
    known = not found and any(UI in path for path, _ in found.failures())
    return "it has nothing to show, so it does not run here" if known else ""

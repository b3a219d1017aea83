"""What runs in one window here: it is built from its recipe, shown, and ends when it is taken out.

A window may come to lie in itself, through others or at once, and nobody sees that when it is put in: each
window says what runs in it, and what would run in itself is not begun a second time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.desktop.object import Showable
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.fold import remembered
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import UI, OpenInterface, Shown
from liven.runtime.problems import Path
from liven.types.explanation import Explanation

DEEPEST: Final = 8
"""So many windows run in each other at most: each is painted within the one around it."""
_ITSELF: Final = "it would lie in itself; take it out, or put something else in"
_TOO_DEEP: Final = f"{DEEPEST} windows lie in each other here, and no more are begun; open it by itself"


class Nesting:
    """The recipes of what runs in the windows of this program, and where these stand."""

    def __init__(self) -> None:
        self.running: dict[Content, tuple[Path, str]] = {}

    def around(self, path: Path) -> list[str]:
        """What runs in those windows within which `path` lies."""
        return [
            reference
            for where, reference in self.running.values()
            if len(where) < len(path) and path[: len(where)] == where
        ]


class Content:
    """One window's. `changed` is called whenever something else is to be seen."""

    def __init__(self, context: Context, changed: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._nesting: Nesting | None = None
        self._asked: Reply[ProxyHandle] | None = None
        self._handle: ProxyHandle | None = None
        self._showing: OpenInterface | None = None
        self._forget: Callable[[], object] = lambda: None
        self.reference = ""
        """The recipe of what is to be seen; empty where nothing is."""
        self.name = ""
        self.trouble = ""
        """Why it cannot be seen; empty if nothing is wrong."""

    @property
    def shown(self) -> Shown | None:
        """What it shows, once it runs."""
        return None if self._showing is None else self._showing.shown

    @property
    def loading(self) -> bool:
        """Whether it is being built."""
        return self._asked is not None

    @property
    def step(self) -> str:
        """By what step of a path problems mean it; empty where nothing is."""
        return (self.name or "content") if self.reference else ""

    def fault(self, reference: str) -> str:
        """Why this cannot run in the window, wherever it comes from; empty if it can."""
        around = self._nest().around(self._context.path)
        if reference in around:
            return _ITSELF
        return _TOO_DEEP if len(around) >= DEEPEST else ""

    def begin(self, reference: str, name: str) -> None:
        """Runs another object in place of what is there. Who puts it in looked whether it fits; what others
        put in is looked at here, for it may be anything. Where that cannot be told before its code is there,
        it is built, which asks the person about the code."""
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
        """Nothing runs in the window any more."""
        self._let_go()
        self.reference = self.name = self.trouble = ""
        self._changed()

    def close(self) -> None:
        """The window ends, and what is in it too."""
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
        self._forget = remembered(self._context, self.reference, showing.shown.model)
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
    """Why an object cannot be seen, where that is known before it runs."""
    known = not found and any(UI in path for path, _ in found.failures())
    return "it has nothing to show, so it is not run here" if known else ""

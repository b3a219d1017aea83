"""The folder view as an object: it shows the content of any folder and changes it through the folder
protocol."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.folder.browsable import Watcher
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.runtime.errors import CallFailedError
from liven.runtime.fold import RefusedError, Step, UndoList, applied, overwritten, sparing_others
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Ref, proxy

_MODEL = FolderModel()


@proxy(
    id="0C4E4E5F6DB24C04910D1CBE473CBE24",
    alias="liven:folder-view",
    view="liven.liveobjects.folder.view:make",
)
class FolderViewObject:
    """A view of the connected folder. It stores only what the folder has reported last."""

    UI: ExportedUI
    folder: Dual[FolderClient, Folder]

    def __init__(
        self,
        context: Context,
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        self.context = context
        self._content = Content()
        self._words = "the folder has not answered yet"
        self._read_only = False
        self._watchers: list[Watcher] = []
        self._undo: UndoList[Change] = UndoList()
        self._renamed: dict[str, str] = {}
        """The old names of renamed items whose new names have not shown up yet."""

    @property
    def content(self) -> Content:
        return self._content

    @property
    def state_in_words(self) -> str:
        return self._words

    @property
    def read_only(self) -> bool:
        return self._read_only

    def watch(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        self._watchers.remove(watcher)

    def change(self, name: str, *changes: Change) -> None:
        """Ask the folder to make changes. The folder reports its refusals; undo knows what was asked."""
        self._undo.did(self._asked(name, changes))

    def also(self, name: str, *changes: Change) -> None:
        """Ask the folder to make changes that undo here skips."""
        self._asked(name, changes)

    def _asked(self, name: str, changes: tuple[Change, ...]) -> Step[Change]:
        self._check_there()
        if self._read_only:
            raise RefusedError("this folder is read-only")
        after, back, refused = applied(_MODEL, self._content, changes)
        if len(refused) == len(changes):
            raise RefusedError("; ".join(refused) or "nothing to do")
        self._ask(changes)
        return Step(0, name, back, overwritten(_MODEL, after, back))

    def when_settled(self, call: Callable[[], object]) -> None:
        """Call `call` now: nothing shows here before the folder has it."""
        call()

    def undo(self) -> str | None:
        self._check_there()
        step, passed = self._undo.take_undo(self._left)
        return self._again(step, passed, undoing=True)

    def redo(self) -> str | None:
        self._check_there()
        step, passed = self._undo.take_redo(self._left)
        return self._again(step, passed, undoing=False)

    # as a client of the folder

    def ready(self) -> None:
        self.context.spawn(self._read())

    def added(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        self._show(Content(self._content.items.with_(key, object.xml)))
        old = self._renamed.pop(key, None)
        if old is not None and old in self._content.items:
            self.folder.peer.remove(old)

    def removed(self, key: str) -> None:
        if key in self._content.items:
            self._show(Content(self._content.items.without(key)))

    def folder_disconnected(self) -> None:
        self._words = "the folder is gone"
        self._renamed.clear()
        self._show(Content())

    async def _read(self) -> None:
        """Read all items one by one. Leave out and report the unreadable ones."""
        try:
            self._read_only = await self.folder.peer.is_read_only()  # type: ignore[misc]  # a reply, here
            keys: list[str] = await self.folder.peer.keys()  # type: ignore[misc]
        except CallFailedError as error:
            self._words = f"the folder cannot be read: {error}"
            self._show(self._content)
            return
        self._words = ""
        for gone in self._content.items.keys() - set(keys):
            self.removed(gone)
        for key in keys:
            await self._read_one(key)
        self._show(self._content)

    async def _read_one(self, key: str) -> None:
        try:
            found = await self.folder.peer.try_get_object(key)  # type: ignore[misc]
        except CallFailedError as error:
            self._tell(f"“{key}” cannot be shown: {error}")
            return
        if found.object is not None:
            self.added(key, found.object)

    def _check_there(self) -> None:
        if self._words:
            raise RefusedError(self._words)

    def _ask(self, changes: tuple[Change, ...]) -> None:
        state = self._content
        for change in changes:
            try:
                after = _MODEL.apply(state, change)
            except RefusedError as why:
                self._tell(str(why))
                continue
            self._ask_one(state, change)
            state = after

    def _ask_one(self, state: Content, change: Change) -> None:
        """Ask for one change. For a rename, remove the old name once the new one is visible: a disk that is
        full, or does not accept the name, then loses nothing."""
        match change:
            case Put(name, reference):
                self.folder.peer.add(state.free_name(name), Ref(reference))
            case Take(name):
                self.folder.peer.remove(name)
            case Rename(name, to):
                self._renamed[to] = name
                self.folder.peer.add(to, Ref(state.items[name]))

    def _again(self, step: Step[Change] | None, passed: tuple[str, ...], *, undoing: bool) -> str | None:
        for sentence in passed:
            self._tell(sentence)
        if step is None:
            return "" if passed else None
        after, back, _ = applied(_MODEL, self._content, step.inverse)
        done = Step(0, step.name, back, overwritten(_MODEL, after, back))
        self._undo.undid(done) if undoing else self._undo.redid(done)
        self._ask(step.inverse)
        return step.name

    def _left(self, step: Step[Change]) -> tuple[tuple[Change, ...], tuple[str, ...]]:
        return sparing_others(_MODEL, self._content, step.inverse, step.own)

    def _show(self, after: Content) -> None:
        before, self._content = self._content, after
        for watcher in tuple(self._watchers):
            watcher.changed(before, after)

    def _tell(self, message: str) -> None:
        for watcher in tuple(self._watchers):
            watcher.notify(message)

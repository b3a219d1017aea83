from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Content, Put, Rename, Take
from liven.liveobjects.folder_view.object import FolderViewObject
from liven.runtime.fold import RefusedError
from liven.runtime.folder import item_files
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient
from liven.runtime.folder.local_folder import LOOK_EVERY, LocalFolder
from liven.runtime.folder.memory_folder import MemoryFolder
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.objects.context import Context
from liven.runtime.testing import Bench
from liven.types.declare import Dual, Ref, proxy

ONE = (
    '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    '<Object xsi:type="ReferenceObject" id="a:b"/></Root>'
)


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B11", alias="test:fixed-folder")
class Fixed(ServedFolder):
    """A read-only folder."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context) -> None:
        self.context = context

    def items(self) -> Mapping[str, str]:
        return {"a": ONE}

    def is_read_only(self) -> bool:
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None: ...  # noqa: A002 the original's name

    def remove(self, key: str) -> None: ...


class Watcher:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.seen: list[tuple[int, int]] = []

    def changed(self, before: Content, after: Content) -> None:
        self.seen.append((len(before.items), len(after.items)))

    def notify(self, message: str) -> None:
        self.words.append(message)


def view(bench: Bench, folder: Any) -> Any:
    made = bench.build(FolderViewObject)
    bench.connect(made, "folder", folder, "Endpoint")
    bench.advance(0.01)
    return made.instance


def names(shelf: Any) -> list[str]:
    return sorted(shelf.content.items)


def test_a_folder_view_follows_the_content_of_a_folder() -> None:
    with Bench() as bench:
        first = bench.build(MemoryFolder, name="f")
        other = view(bench, first)
        other.change("put", Put("a", ONE))
        shelf = view(bench, bench.build(MemoryFolder, name="f"))
        watcher = Watcher()
        shelf.watch(watcher)
        assert names(shelf) == ["a"]
        other.change("put", Put("b", ONE))
        other.change("take", Take("a"))
        assert names(shelf) == ["b"]
        assert watcher.seen == [(1, 2), (2, 1)]
        shelf.unwatch(watcher)


def test_changes_are_undone_and_redone() -> None:
    with Bench() as bench:
        shelf = view(bench, bench.build(MemoryFolder, name="f"))
        shelf.change("put", Put("a", ONE), Put("a", ONE.replace("a:b", "c:d")))
        assert names(shelf) == ["a", "a (2)"]
        shelf.change("rename", Rename("a", "z"))
        assert names(shelf) == ["a (2)", "z"]
        assert shelf.undo() == "rename"
        assert shelf.undo() == "put"
        assert names(shelf) == []
        assert shelf.undo() is None
        assert shelf.redo() == "put"
        assert names(shelf) == ["a", "a (2)"]


def test_undo_explains_that_others_removed_the_item() -> None:
    with Bench() as bench:
        shelf = view(bench, bench.build(MemoryFolder, name="f"))
        other = view(bench, bench.build(MemoryFolder, name="f"))
        watcher = Watcher()
        shelf.watch(watcher)
        shelf.change("put it", Put("a", ONE))
        other.change("take", Take("a"))
        assert shelf.undo() == ""
        assert shelf.undo() is None
        assert watcher.words == ["“put it” can no longer be undone: “a” is no longer in the folder"]


def test_a_local_folder_is_changed_like_any_other(tmp_path: Path) -> None:
    with Bench() as bench:
        shelf = view(bench, bench.build(LocalFolder, path=str(tmp_path)))
        bench.crank.wait(lambda: shelf.state_in_words == "")
        shelf.change("put", Put("a", ONE))
        bench.crank.wait(lambda: names(shelf) == ["a"])
        assert (tmp_path / "a.liveobject").exists()
        shelf.change("rename", Rename("a", "b"))
        bench.crank.wait(lambda: names(shelf) == ["b"])
        (tmp_path / "b.liveobject").unlink()
        bench.advance(LOOK_EVERY)
        bench.crank.wait(lambda: names(shelf) == [])
        (tmp_path / "broken.liveobject").write_text("<")
        bench.advance(LOOK_EVERY)
        bench.crank.wait(lambda: bool(bench.problems))
        assert "broken.liveobject" in bench.problems.pop().what


def test_a_missing_or_silent_folder_shows_the_reason() -> None:
    with Bench() as bench:
        shelf = bench.build(FolderViewObject).instance
        assert shelf.state_in_words == "the folder has not answered yet"
        with pytest.raises(RefusedError, match="has not answered"):
            shelf.change("put", Put("a", ONE))
        folder = bench.build(MemoryFolder, name="f")
        shelf = view(bench, folder)
        shelf.change("put", Put("a", ONE))
        folder.close()
        assert shelf.state_in_words == "the folder is gone"
        assert names(shelf) == []
        with pytest.raises(RefusedError, match="the folder is gone"):
            shelf.undo()
        assert shelf._undo.undo_names == ("put",)


def test_a_read_only_folder_is_never_asked_to_change() -> None:
    with Bench() as bench:
        shelf = view(bench, bench.build(Fixed))
        with pytest.raises(RefusedError, match="read-only"):
            shelf.change("put", Put("a", ONE))


def test_a_folder_view_shows_a_shared_folder() -> None:
    with Bench() as bench:
        channel = bench.channel()
        folder = bench.build(SharedFolder)
        shelf = view(bench, folder)
        assert shelf.state_in_words
        channel.join(folder.handle.endpoint("channel"))
        bench.advance(0.01)
        assert shelf.state_in_words == ""
        folder.instance.change("put", Put("a", ONE))
        assert names(shelf) == ["a"]
        with pytest.raises(RefusedError, match="already"):
            shelf.change("put", Put("a", ONE))
        shelf.change("take", Take("a"))
        assert not folder.instance.content.items


def test_a_rename_that_the_disk_refuses_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old name used to be removed although the new one did not exist, and the item was lost."""

    def full(folder: Path, name: str, text: str) -> None:
        raise item_files.ItemError(f"{folder}: no space left for {name} of {len(text)} characters")

    with Bench() as bench:
        shelf = view(bench, bench.build(LocalFolder, path=str(tmp_path)))
        shelf.change("put", Put("a", ONE))
        bench.crank.wait(lambda: names(shelf) == ["a"])
        with monkeypatch.context() as patch:
            patch.setattr(item_files, "store", full)
            shelf.change("rename", Rename("a", "b"))
            bench.crank.wait(lambda: any("no space left" in str(one) for one in bench.problems))
            bench.advance(LOOK_EVERY)
        bench.problems.clear()
        assert item_files.names(tmp_path) == names(shelf) == ["a"]
        shelf.change("rename", Rename("a", "b"))
        bench.crank.wait(lambda: names(shelf) == ["b"])
        bench.crank.wait(lambda: item_files.names(tmp_path) == ["b"])

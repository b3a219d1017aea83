"""The records of tldraw, from a file, a snapshot or the clipboard: pages, shapes, assets and bindings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from liven.liveobjects.desktop.foreign.board import ForeignError
from liven.liveobjects.desktop.foreign.json_reading import Record, parsed, record, records, text
from liven.liveobjects.desktop.foreign.tldraw.lz_string import decompressed

FILE_VERSION: Final = "tldrawFileFormatVersion"
_CLIPBOARD: Final = re.compile(r"<div data-tldraw[^>]{0,200}>(.*?)</div>", re.DOTALL)
_TYPE: Final = "application/tldraw"
_OLD: Final = "it was saved by tldraw before 2023; open it at tldraw.com and save it again"


@dataclass(slots=True)
class TldrawRecords:
    """All records of a drawing, by id."""

    pages: list[Record] = field(default_factory=list)
    shapes: dict[str, Record] = field(default_factory=dict)
    assets: dict[str, Record] = field(default_factory=dict)
    bindings: list[Record] = field(default_factory=list)

    def children(self) -> dict[str, list[Record]]:
        """Return the shapes by the page, frame or group that holds them, the lowest first. The parents of the
        clipboard's outermost shapes are not on it: those come under the empty name."""
        pages = {text(page, "id") for page in self.pages}
        found: dict[str, list[Record]] = {}
        for shape in self.shapes.values():
            parent = text(shape, "parentId")
            found.setdefault(parent if parent in pages or parent in self.shapes else "", []).append(shape)
        for shapes in found.values():
            shapes.sort(key=lambda shape: (text(shape, "index"), text(shape, "id")))
        return found


def is_tldraw(found: object) -> bool:
    """Return True for the contents of a file of tldraw."""
    if not isinstance(found, dict):
        return False
    return FILE_VERSION in found or _is_old(found) or _store_of(found) is not None


def records_in_file(found: Record) -> TldrawRecords:
    """Return the records of a parsed file. Raise ForeignError for one that is too old."""
    if _is_old(found):
        raise ForeignError(_OLD)
    store = _store_of(found)
    return _sorted(records(found.get("records")) if store is None else records(list(store.values())))


def clipboard_in(html: str) -> str | None:
    """Return what tldraw has put into a page on the clipboard, if it has."""
    found = _CLIPBOARD.search(html)
    return None if found is None else found.group(1)


def records_in_clipboard(packed: str) -> TldrawRecords:
    """Return the records that were copied in tldraw; raise ForeignError if they cannot be read."""
    whole = record(parsed(packed if packed.lstrip().startswith("{") else decompressed(packed.strip())))
    data: Any = whole.get("data")
    if whole.get("type") != _TYPE or whole.get("kind") != "content":
        raise ForeignError("the clipboard of tldraw holds no shapes; copy again")
    content = record(parsed(data) if isinstance(data, str) else data)
    other = text(content, "otherCompressed")
    if other:
        content = {**record(parsed(decompressed(other))), "assets": content.get("assets")}
    made = _sorted(records(content.get("shapes")))
    made.assets = {text(one, "id"): one for one in records(content.get("assets"))}
    made.bindings += records(content.get("bindings"))
    return made


def _is_old(found: Record) -> bool:
    return "pages" in record(found.get("document")) and FILE_VERSION not in found


def _store_of(found: Record) -> Record | None:
    """Return the records of a snapshot, which tldraw's library writes in place of a file."""
    for whole in (found, record(found.get("document"))):
        store = whole.get("store")
        if isinstance(store, dict) and "schema" in whole:
            return store
    return None


def _sorted(found: Iterable[Record]) -> TldrawRecords:
    made = TldrawRecords()
    for one in found:
        kind = one.get("typeName", "shape")
        if kind == "page":
            made.pages.append(one)
        elif kind == "shape":
            made.shapes[text(one, "id")] = one
        elif kind == "asset":
            made.assets[text(one, "id")] = one
        elif kind == "binding":
            made.bindings.append(one)
    made.pages.sort(key=lambda page: (text(page, "index"), text(page, "id")))
    return made

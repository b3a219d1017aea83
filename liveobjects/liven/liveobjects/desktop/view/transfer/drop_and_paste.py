"""Taking things in: what is dropped or pasted on a desktop, and what is copied from it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPainter,
)

from liven.liveobjects.content_sniffing import meant_as_recipe, text_at, text_in, why_unread
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.free_space import EVERYWHERE, room_for
from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.desktop.search.text_cache import is_open
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.tools.gestures import edges
from liven.liveobjects.desktop.view.transfer.drag_out_files import as_files
from liven.liveobjects.desktop.view.transfer.placeholders import paint_expected
from liven.liveobjects.desktop.view.transfer.refusal_text import refusal
from liven.liveobjects.image.view.decoding import is_picture
from liven.liveobjects.image.view.dropped_pictures import leave, pictures_in, take_copy
from liven.liveobjects.image.view.upload_queue import UploadQueue
from liven.liveobjects.text.recipe import TooMuchTextError, why_too_much, written
from liven.runtime.files import read_start
from liven.runtime.folder.item_files import MIME, SUFFIX
from liven.runtime.reference.errors import ReadError, WriteError
from liven.runtime.reference.model import name_of
from liven.runtime.reference.xml import read, write

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

SEVERAL = "application/x-liveobjects+json"
"""Several recipes with their names and places, from one desktop to another."""
TITLES = "application/x-liveobjects-titles+json"
"""What these call themselves, beside that: for a place that keeps names, for what has none of its own."""
SIZE = QSizeF(240, 180)
CLIPBOARD = "the clipboard"
NEW_NOTE = "a note"
"""What undo calls a note that was made of a text."""
LARGEST_FILE = 4 * 1024 * 1024
_BEGINNING = 4096
MOST_FILES = 500
"""At one go; each is read and looked into while the person waits."""
_TAKE = "take"
_RIM = 8.0
"""So many pixels stay free around what is laid down where there is room."""
_TOLD = 3
"""So many refusals are told in full."""


class Offer:
    """One thing that may be laid down."""

    def __init__(
        self,
        reference: str,
        label: str,
        size: QSizeF = SIZE,
        at: QPointF | None = None,
        kind: str = "an object",
    ) -> None:
        """`kind` is what undo calls it where it has no label."""
        self.reference = reference
        self.kind = kind
        self.label = label
        self.size = size
        self.at = at or QPointF(0, 0)
        self.title = ""
        """What it calls itself where it runs, which others may read."""


class RefusedOfferError(Exception):
    """What is offered cannot be laid down; says why."""


class Taking:
    """The receiving end of one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._giving = UploadQueue(canvas.model.context, canvas.host, changed=canvas.update)

    def paint(self, painter: QPainter) -> None:
        """What comes and does not lie here yet."""
        paint_expected(painter, self._canvas, self._giving.unread)

    @property
    def expects(self) -> bool:
        """Whether something comes that does not lie here yet."""
        return bool(self._giving.unread)

    def stop(self) -> bool:
        """Stops the pictures that are on their way; false if none is."""
        return self._giving.stop()

    def copy(self) -> bool:
        """Puts what is chosen on the clipboard; false if that is nothing."""
        state = self._canvas.state
        items = [item for item in state.stacked() if item.key in self._canvas.chosen]
        if not items:
            return False
        QGuiApplication.clipboard().setMimeData(self.data_of(items))
        return True

    def drag_out(self) -> None:
        """Begins to drag what is chosen to another desktop, or to a folder of the system, where it becomes
        files."""
        items = [item for item in self._canvas.state.stacked() if item.key in self._canvas.chosen]
        if not items:
            return  # somebody took it off meanwhile
        data = self.data_of(items)
        try:
            data.setUrls([QUrl.fromLocalFile(str(path)) for path in as_files(items)])
        except OSError as error:
            self._canvas.host.show_message(f"It cannot be given to other programs: {error.strerror or error}")
        drag = QDrag(self._canvas)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def data_of(self, items: list[Item]) -> QMimeData:
        """Things as they are carried: to another desktop, or into something that lies on this one."""
        left, top, _, _ = commands.bounds(items)
        several = [
            [
                item.reference,
                item.label,
                item.place.x - left,
                item.place.y - top,
                item.place.width,
                item.place.height,
            ]
            for item in items
        ]
        data = QMimeData()
        data.setData(SEVERAL, json.dumps(several).encode())
        data.setData(TITLES, json.dumps([self._title(item) for item in items]).encode())
        data.setData(MIME, items[0].reference.encode())
        data.setText("\n".join(item.reference for item in items))
        return data

    def _title(self, item: Item) -> str:
        """Nothing for what is behind a lock: the name is read where that is not."""
        title = self._canvas.actors.ask(item.key, lambda view: view.title(), "")
        return title if title and is_open(item.reference) else ""

    def paste(self) -> None:
        """Lays down what is on the clipboard, where there is room near the middle of what is seen."""
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()  # its stub promises data
        if data is None or not data.formats():
            self._canvas.failures.show(_TAKE, "There is nothing on the clipboard.")
        else:
            self._canvas.failures.withdraw(_TAKE)
            if not self._canvas.receiving.fill(data):
                self._take(data, None, CLIPBOARD)

    def drag_enter(self, event: QDragEnterEvent) -> None:
        """Says yes to what looks like a recipe or a picture; whether it fits is seen when it is read, at the
        drop."""
        data = event.mimeData()
        ours = data.hasFormat(SEVERAL) or data.hasFormat(MIME)
        if ours or data.hasUrls() or data.hasText() or data.hasImage():
            self._canvas.receiving.hover(data, event.position())
            agree(event)

    def drag_move(self, event: QDragMoveEvent) -> None:
        self._canvas.receiving.hover(event.mimeData(), event.position())
        agree(event)

    def drag_leave(self, event: QDragLeaveEvent) -> None:
        del event
        self._canvas.receiving.leave()

    def drop(self, event: QDropEvent) -> None:
        """Lays down what was dropped, where it was dropped, or puts it into what lies there. Things are moved
        here only if all of them are here now; of any other drop, the source keeps what it has."""
        before = len(self._canvas.state.items)
        data = event.mimeData()
        self._canvas.failures.withdraw(_TAKE)
        key = self._canvas.receiving.hover(data, event.position())
        self._canvas.receiving.leave()
        if key is not None:
            self._canvas.receiving.drop(key, data, event)
        elif not self._take(data, self._canvas.camera.to_plane(event.position()), "what was dropped"):
            leave(event)
        elif len(self._canvas.state.items) - before < how_many(data):
            take_copy(event)
        else:
            agree(event)

    def lay_down_wanted(self, offer: Offer) -> bool:
        """Lays one thing down where the person wanted one, else near the middle of what is seen."""
        canvas = self._canvas
        canvas.failures.withdraw(_TAKE)
        at = canvas.steady.take()
        if at is None:
            return self.lay_down_near([offer])
        wanted = self._snapped(offer.size, at)
        free = self._free(offer.size, wanted)
        place = free if QRectF(free, offer.size).contains(at) else wanted  # it was asked for just there
        done = self.lay_down([offer], QRectF(place, offer.size).center())
        for key in canvas.chosen if done else ():
            canvas.steady.show(canvas.state.items[key])
        return done

    def lay_down_near(self, offers: list[Offer]) -> bool:
        """Lays things down, together, where there is room for them in view near the middle."""
        canvas, whole = self._canvas, _whole(offers).size()
        seen = canvas.camera.seen(QSizeF(canvas.size()))
        corner = self._free(
            whole, self._snapped(whole, seen.center()), edges(_inner(seen, canvas.camera.zoom))
        )
        return self.lay_down(offers, QRectF(corner, whole).center())

    def _snapped(self, size: QSizeF, at: QPointF) -> QPointF:
        """The corner of something that lies around a place. What others call its size may be no number; the
        model refuses it."""
        corner = at - QPointF(size.width() / 2, size.height() / 2)
        if self._canvas.snapping and math.isfinite(corner.x()) and math.isfinite(corner.y()):
            corner = QPointF(round(corner.x() / GRID) * GRID, round(corner.y() / GRID) * GRID)
        return corner

    def _free(
        self, size: QSizeF, corner: QPointF, within: tuple[float, float, float, float] = EVERYWHERE
    ) -> QPointF:
        """The corner nearest to this one where something covers nothing."""
        items = self._canvas.state.items.values()
        return QPointF(*room_for(items, size.width(), size.height(), corner.x(), corner.y(), within))

    def lay_down(self, offers: list[Offer], at: QPointF) -> bool:
        """Lays things down around a place, as one step, and chooses them; says why what is left out is."""
        canvas = self._canvas
        corner = at - _whole(offers).center()
        keys: list[str] = []
        called: list[str] = []
        changes: list[object] = []
        for offer in offers:
            why = self._refusal(offer)
            if why:
                canvas.failures.show(_TAKE, f"{offer.label or 'This'} cannot be laid on a desktop: {why}")
                continue
            spot = corner + offer.at
            place = Place(spot.x(), spot.y(), offer.size.width(), offer.size.height())
            key, command = commands.add(canvas.state, offer.reference, offer.label, place, above=len(keys))
            keys.append(key)
            called.append(offer.label or offer.kind)
            changes += command.changes
        name = f"Add {called[0]}" if len(keys) == 1 else f"Add {len(keys)} things"
        if not keys or not canvas.do(commands.Command(name, tuple(changes))):  # type: ignore[arg-type]
            return False
        canvas.choose(keys)
        return True

    def _refusal(self, offer: Offer) -> str:
        found = self._canvas.model.context.may_fit(offer.reference, Showable)
        return "" if found else refusal(found, offer.reference, "a desktop")

    def _take(self, data: QMimeData, at: QPointF | None, source: str) -> bool:
        """Lays it all down at a place, or, where nobody pointed to one, wherever there is room."""
        pictures = [] if data.hasFormat(SEVERAL) or data.hasFormat(MIME) else pictures_in(data)
        if pictures:
            self._giving.take(pictures, partial(self._lay_image, at), at)
        if pictures and len(pictures) >= len(data.urls()):
            return True
        try:
            offers = offers_in(data, partial(self._canvas.failures.show, _TAKE))
        except RefusedOfferError as why:
            self._canvas.failures.show(_TAKE, f"Nothing in {source} can be laid on a desktop: {why}")
            return False
        return self.lay_down_near(offers) if at is None else self.lay_down(offers, at)

    def _lay_image(self, at: QPointF | None, recipe: str, name: str, size: QSizeF, by: QPointF) -> bool:
        offer = Offer(recipe, name, size, kind="a picture")
        return self.lay_down_near([offer]) if at is None else self.lay_down([offer], at + by)


def agree(event: QDropEvent) -> None:
    """Says yes to a drag or a drop: our own things may be moved; of files and of others' data, a copy is
    made."""
    data = event.mimeData()
    if data.hasFormat(SEVERAL) or data.hasFormat(MIME):
        event.acceptProposedAction()
    else:
        take_copy(event)


def how_many(data: QMimeData) -> int:
    """How many of our own things are offered; RefusedOfferError where that cannot be read."""
    return len(_several(bytes(data.data(SEVERAL).data()))) if data.hasFormat(SEVERAL) else 1


def _whole(offers: list[Offer]) -> QRectF:
    """What the things would cover, as they lie to each other."""
    whole = QRectF()
    for offer in offers:
        whole |= QRectF(offer.at, offer.size)
    return whole


def _inner(seen: QRectF, zoom: float) -> QRectF:
    """What is seen without its rim."""
    rim = _RIM / zoom
    return seen.adjusted(rim, rim, -rim, -rim)


def offers_in(data: QMimeData, tell: Callable[[str], object] = lambda _: None) -> list[Offer]:
    """What a drop or the clipboard holds; RefusedOfferError when it is nothing for a desktop. Of several
    files, those that are something are taken; why the others are not is told."""
    if data.hasFormat(SEVERAL):
        return _titled(_several(bytes(data.data(SEVERAL).data())), bytes(data.data(TITLES).data()))
    if data.hasFormat(MIME):
        return [_offer(bytes(data.data(MIME).data()))]
    if data.hasUrls():
        paths = [url.toLocalFile() or url.toString() for url in data.urls()]
        return _from_files([path for path in paths if not is_picture(Path(path))], tell)
    if data.hasText():
        text = data.text()
        return [_offer(text.encode(errors="replace")) if meant_as_recipe(text) else _page(text, "it")]
    raise RefusedOfferError("it is no recipe of an object")


def _several(data: bytes) -> list[Offer]:
    try:
        found = json.loads(data)
        return [
            Offer(str(text), str(label), QSizeF(float(w), float(h)), QPointF(float(x), float(y)))
            for text, label, x, y, w, h in found
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedOfferError(f"it cannot be read ({error})") from None


def _titled(offers: list[Offer], titles: bytes) -> list[Offer]:
    """With what they call themselves, as far as that can be read."""
    try:
        said = json.loads(titles or b"[]")
    except (ValueError, RecursionError):
        said = []
    for offer, title in zip(offers, said if isinstance(said, list) else [], strict=False):
        offer.title = title if isinstance(title, str) else ""
    return offers


def _from_files(paths: list[str], tell: Callable[[str], object]) -> list[Offer]:
    if len(paths) > MOST_FILES:
        raise RefusedOfferError(f"these are {len(paths):,} files; {MOST_FILES} are the most at one go")
    offers: list[Offer] = []
    refused: list[RefusedOfferError] = []
    for path in paths:
        try:
            offers.append(_from_file(path))
        except RefusedOfferError as why:
            refused.append(why)
    if refused and not offers:
        raise refused[0]
    if refused:
        told = "; ".join(map(str, refused[:_TOLD]))
        more = f"; and {len(refused) - _TOLD} more" if len(refused) > _TOLD else ""
        tell(f"{len(refused)} of {len(paths)} files were left out: {told}{more}")
    return offers


def _from_file(name: str) -> Offer:
    path = Path(name)
    try:
        data = read_start(path, LARGEST_FILE + 1)
    except OSError as error:
        raise RefusedOfferError(f"{path.name}: {error.strerror or error}") from None
    if len(data) > LARGEST_FILE:
        raise RefusedOfferError(_why_too_large(path, data))
    return _offer(data, path)


def _why_too_large(path: Path, data: bytes) -> str:
    """Of what it begins with alone: the rest is neither read nor looked into."""
    text = text_at(data[:_BEGINNING])
    if path.suffix == SUFFIX or (text is not None and meant_as_recipe(text)):
        return f"{path.name} is too large for a recipe, which has at most 4 MiB"
    if text is None or text.lstrip().startswith("<"):
        return f"{path.name} is neither a {SUFFIX} file nor a picture nor a text"
    try:
        size = path.stat().st_size
    except OSError:
        size = len(data)
    return f"{path.name} cannot become a note: {why_too_much(size)}"


def _page(text: str, source: str, name: str = "") -> Offer:
    """A new note on which the text stands."""
    if not text.strip():
        raise RefusedOfferError(f"{source} holds no words")
    if "\0" in text:
        raise RefusedOfferError(f"{source} is neither a recipe of an object nor a text")
    try:
        thing = written(text, name)
        return Offer(write(thing).decode(), name_of(thing), kind=NEW_NOTE)
    except (TooMuchTextError, WriteError) as why:
        raise RefusedOfferError(f"{source} cannot become a note: {why}") from None


def _offer(data: bytes, path: Path | None = None) -> Offer:
    source = "it" if path is None else path.name
    try:
        thing = read(data).object
    except ReadError as error:
        text = text_in(data) if path is not None and path.suffix != SUFFIX else None
        if path is not None and text is not None and not text.lstrip().startswith("<"):
            return _page(text, source, path.stem)
        if path is not None and path.suffix != SUFFIX:
            raise RefusedOfferError(f"{source} is neither a {SUFFIX} file nor a picture nor a text") from None
        raise RefusedOfferError(f"{source} is no recipe of an object: {why_unread(data, error)}") from None
    if thing is None:
        raise RefusedOfferError(f"{source} holds no object")
    return Offer(write(thing).decode(), name_of(thing) or ("" if path is None else path.stem))

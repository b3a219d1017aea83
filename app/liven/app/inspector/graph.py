"""The graph: objects as boxes, connections as lines, with their events per second."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QMouseEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsLineItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
    QGraphicsView,
)

from liven.app.inspector.graph_layout import spots
from liven.app.inspector.labels import called, kind_of, rate_text
from liven.liveobjects.look.view.labels import plain_tip
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.proxy import Proxy

MOST = 120
"""Most objects that are drawn."""
_WIDTH, _HEIGHT = 150.0, 40.0
_ACROSS, _DOWN = 230.0, 62.0
_WHAT = 0
_REACH = 6


class Graph(QGraphicsView):
    """The drawing. `chosen` is emitted when the user clicks a box or a line. The tree beside it offers the
    same to keyboard users."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Graph of the running objects")
        self.setAccessibleDescription("The list beside it has the same contents.")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._plane = QGraphicsScene(self)
        self.setScene(self._plane)
        self._boxes: dict[int, QGraphicsRectItem] = {}
        self._labels: dict[Connection, QGraphicsSimpleTextItem] = {}

    def draw(self, proxies: Sequence[Proxy]) -> None:
        """Draw these objects and the connections between them."""
        self._plane.clear()
        self._boxes.clear()
        self._labels.clear()
        drawn = {id(proxy): proxy for proxy in proxies[:MOST]}
        lines = [line for line in _lines(drawn.values()) if id(line[1].proxy) in drawn]
        places = spots(tuple(drawn), [(id(one.proxy), id(other.proxy)) for one, other in lines])
        centres = {node: QPointF(column * _ACROSS, row * _DOWN) for node, (column, row) in places.items()}
        for one, other in lines:
            self._line(one, other, centres[id(one.proxy)], centres[id(other.proxy)])
        for node, proxy in drawn.items():
            self._box(proxy, centres[node])
        if len(proxies) > MOST:
            self._say(
                f"… and {len(proxies) - MOST} more", QPointF(0, max(p.y() for p in centres.values()) + _DOWN)
            )
        self.setSceneRect(self._plane.itemsBoundingRect().adjusted(-12, -12, 12, 12))

    def show_rates(self, rates: Mapping[Connection, float]) -> None:
        """Show the events per second of each connection."""
        for connection, label in self._labels.items():
            label.setText(rate_text(rates.get(connection, 0.0)))

    def mark(self, what: object) -> None:
        """Highlight the box of an object, or of the object that an endpoint belongs to."""
        proxy = what.proxy if isinstance(what, Endpoint) else what
        ink = self.palette().color(QPalette.ColorRole.Text)
        for node, box in self._boxes.items():
            here = node == id(proxy)
            marked = self.palette().color(QPalette.ColorRole.Highlight)
            box.setPen(QPen(marked, 3) if here else QPen(ink, 1))
            if here:
                self.ensureVisible(box)

    def box_of(self, proxy: Proxy) -> QRectF:
        """Return the rectangle of an object's box, in widget coordinates."""
        area = self._boxes[id(proxy)].sceneBoundingRect()
        return QRectF(self.mapFromScene(area).boundingRect())

    def rate_on(self, connection: Connection) -> str:
        """Return the label of a line."""
        return self._labels[connection].text()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the box under the mouse, or a line close to it."""
        at = event.position().toPoint()
        near = self.items(at.x() - _REACH, at.y() - _REACH, 2 * _REACH, 2 * _REACH)
        found = [item.data(_WHAT) for item in (*self.items(at), *near) if item.data(_WHAT) is not None]
        if found:
            self.chosen.emit(found[0])

    def _box(self, proxy: Proxy, at: QPointF) -> None:
        palette = self.palette()
        box = QGraphicsRectItem(0, 0, _WIDTH, _HEIGHT)
        box.setPos(at)
        box.setPen(QPen(palette.color(QPalette.ColorRole.Text), 1))
        box.setBrush(palette.alternateBase())
        box.setToolTip(plain_tip(f"{proxy}\n{kind_of(proxy)}"))
        self._hold(box, proxy)
        self._boxes[id(proxy)] = box
        for text, down, bold in ((called(proxy), 4.0, True), (kind_of(proxy), 21.0, False)):
            words = QGraphicsSimpleTextItem(box)
            font = words.font()
            font.setBold(bold)
            words.setFont(font)
            words.setBrush(QBrush(palette.color(QPalette.ColorRole.Text)))
            measure = self.fontMetrics()
            room = int(_WIDTH - 12) if not bold else int(_WIDTH - 24)
            words.setText(measure.elidedText(text, Qt.TextElideMode.ElideMiddle, room))
            words.setPos(6, down)
            words.setData(_WHAT, proxy)

    def _line(self, one: Endpoint, other: Endpoint, start: QPointF, end: QPointF) -> None:
        palette = self.palette()
        middle = QPointF(_WIDTH / 2, _HEIGHT / 2)
        line = QGraphicsLineItem(
            start.x() + middle.x(), start.y() + middle.y(), end.x() + middle.x(), end.y() + middle.y()
        )
        line.setPen(QPen(palette.color(QPalette.ColorRole.Mid), 2))
        line.setToolTip(plain_tip(f"{one.name} ↔ {other.name}"))
        line.setZValue(-1)
        self._hold(line, one)
        assert one.connection is not None
        self._labels[one.connection] = self._say("", (start + end) / 2 + middle + QPointF(-14, -18))

    def _say(self, text: str, at: QPointF) -> QGraphicsSimpleTextItem:
        words = QGraphicsSimpleTextItem(text)
        words.setBrush(QBrush(self.palette().color(QPalette.ColorRole.Text)))
        words.setPos(at)
        words.setZValue(1)
        self._plane.addItem(words)
        return words

    def _hold(self, item: QGraphicsItem, what: object) -> None:
        item.setData(_WHAT, what)
        self._plane.addItem(item)


def _lines(proxies: Iterable[Proxy]) -> list[tuple[Endpoint, Endpoint]]:
    """Return the two ends of each connection, once."""
    found: dict[Connection, tuple[Endpoint, Endpoint]] = {}
    for proxy in proxies:
        for end in proxy.endpoints.values():
            if end.connection is not None and end.connection not in found:
                found[end.connection] = (end, end.connection.opposite(end))
    return list(found.values())

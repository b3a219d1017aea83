"""Going through all that lies on a desktop by keys, as one reads: by rows, from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item, Link
from liven.liveobjects.desktop.view.tools.command_feedback import ALL_CHOSEN, NOTHING_HERE
from liven.liveobjects.desktop.view.tools.gestures import rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas


class KeyboardNavigation:
    """One canvas's."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._newest = ""
        """What was chosen last by `next_too`."""

    def next(self, step: int) -> None:
        """Chooses the next thing or connector, or the one before, and brings it into view."""
        canvas, order = self._canvas, self._order()
        if not order:
            canvas.host.show_message(NOTHING_HERE)
            return
        link = canvas.connectors.chosen
        chosen = canvas.chosen if link is None else {link.key}
        at = next((n for n, (_, one) in enumerate(order) if one.key in chosen), -1 if step > 0 else 0)
        middle, found = order[(at + step) % len(order)]
        if found.key in chosen:
            canvas.host.show_message("Nothing else lies here.")
        if isinstance(found, Item):
            canvas.choose({found.key})
            canvas.looking.bring_into_view(found)
            return
        canvas.connectors.choose(found)
        if not canvas.camera.seen(QSizeF(canvas.size())).contains(QRectF(middle, QSizeF(1, 1))):
            canvas.looking.go_to(middle)

    def next_too(self, step: int) -> None:
        """Goes to the next thing that is not chosen, and chooses it with what is."""
        canvas = self._canvas
        order = commands.in_reading_order(canvas.state.items.values())
        places = {item.key: at for at, item in enumerate(order)}
        here = places.get(self._newest if self._newest in canvas.chosen else "", -1)
        if here < 0:
            here = max((places[key] for key in canvas.chosen), default=-1 if step > 0 else len(order))
        ring = [order[(here + step * far) % len(order)] for far in range(1, len(order) + 1)]
        item = next((one for one in ring if one.key not in canvas.chosen), None)
        if item is None:
            canvas.host.show_message(ALL_CHOSEN if order else NOTHING_HERE)
            return
        self._newest = item.key
        canvas.choose(canvas.chosen | commands.with_groups(canvas.state, {item.key}))
        canvas.looking.bring_into_view(item)

    def _order(self) -> list[tuple[QPointF, Item | Link]]:
        """All there is with the place by which it is ordered; a connector comes where its middle is."""
        canvas = self._canvas
        found: list[tuple[QPointF, Item | Link]] = [
            (rect(item.place).topLeft(), item) for item in canvas.state.items.values()
        ]
        found += [(canvas.connectors.middle(link), link) for link in canvas.state.links.values()]
        return sorted(found, key=lambda one: (one[0].y(), one[0].x(), one[1].key))

"""A desktop in words, for those who cannot see it: what is chosen, as one goes from one thing or connector to
the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liven.liveobjects.desktop.commands import in_reading_order
from liven.liveobjects.desktop.state import Item, Link
from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.labels import brief

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_LONGEST = 120
_MOST_NAMES = 5


class Spoken:
    """Tells screen readers of one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        canvas.chosen_changed.connect(self._tell)

    def words(self) -> str:
        """What is chosen: a thing with what it says and leads to, or how many; or a connector."""
        canvas = self._canvas
        if canvas.connectors.chosen is not None:
            return self._connector(canvas.connectors.chosen)
        order = in_reading_order(canvas.state.items.values())
        chosen = [item for item in order if item.key in canvas.chosen]
        if not chosen:
            return f"Nothing is selected, of {len(order)}."
        if len(chosen) > 1:
            names = ", ".join(self._name(item) for item in chosen[:_MOST_NAMES])
            more = " and more" if len(chosen) > _MOST_NAMES else ""
            return f"{len(chosen)} of {len(order)} are selected: {names}{more}."
        [item] = chosen
        return f"{order.index(item) + 1} of {len(order)}: {'. '.join(filter(None, self._told(item)))}."

    def _told(self, item: Item) -> list[str]:
        canvas, name = self._canvas, self._name(item)
        says = brief(" ".join(canvas.actors.words(item).split()), _LONGEST)
        links = canvas.state.links.values()
        to = [self._name(canvas.state.items[link.target]) for link in links if link.source == item.key]
        leads = f"Leads to {', '.join(sorted(to)[:_MOST_NAMES])}" if to else ""
        locked, trouble = "Locked" if item.locked else "", canvas.actors.trouble(item.key)
        says = "" if says.casefold() == name.casefold() else says
        return [name, says, leads, locked, trouble and f"⚠ {trouble}"]

    def _connector(self, link: Link) -> str:
        source, target = (self._name(self._canvas.state.items[key]) for key in (link.source, link.target))
        label = f": {brief(link.label, _LONGEST)}" if link.label else ""
        return f"Connector from {source} to {target}{label}."

    def _name(self, item: Item) -> str:
        return brief(item.label or self._canvas.actors.title(item) or "Something without a name", _LONGEST)

    def _tell(self) -> None:
        words = self.words()
        self._canvas.setAccessibleDescription(words)
        announce(self._canvas, words)

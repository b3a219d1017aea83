"""The desktop in words for screen readers: the selection, as you go from item to item."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.commands import in_reading_order
from liven.liveobjects.desktop.state import Desktop, Item, Link
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.items.link_badges import LinkBadges
from liven.liveobjects.desktop.view.items.news_marks import NewsMarks
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.view.accessibility import announce

_LONGEST = 120
_MOST_NAMES = 5


class SpokenCanvas(Protocol):
    """The part of the canvas that screen readers need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def link_badges(self) -> LinkBadges: ...

    @property
    def news(self) -> NewsMarks: ...


class ScreenReader:
    """Announces the selection of one canvas to screen readers."""

    def __init__(self, canvas: SpokenCanvas, widget: QWidget) -> None:
        self._canvas = canvas
        self._widget = widget

    def words(self) -> str:
        """Describe the selection: an item with its text and connectors, a connector, or a number of
        items."""
        canvas = self._canvas
        if canvas.connectors.selected is not None:
            return self._connector(canvas.connectors.selected)
        order = in_reading_order(canvas.state.items.values())
        selected = [item for item in order if item.key in canvas.selected]
        if not selected:
            return f"Nothing selected, {len(order)} items."
        if len(selected) > 1:
            names = ", ".join(self._name(item) for item in selected[:_MOST_NAMES])
            more = " and more" if len(selected) > _MOST_NAMES else ""
            return f"{len(selected)} of {len(order)} are selected: {names}{more}."
        [item] = selected
        return f"{order.index(item) + 1} of {len(order)}: {'. '.join(filter(None, self._told(item)))}."

    def _told(self, item: Item) -> list[str]:
        canvas, name = self._canvas, self._name(item)
        says = brief(" ".join(canvas.item_views.words(item).split()), _LONGEST)
        links = canvas.state.links.values()
        to = [self._name(canvas.state.items[link.target]) for link in links if link.source == item.key]
        leads = f"Connected to {', '.join(sorted(to)[:_MOST_NAMES])}" if to else ""
        locked, trouble = "Locked" if item.locked else "", canvas.item_views.why_not_shown(item.key)
        says = "" if says.casefold() == name.casefold() else says
        marks = (canvas.link_badges.words(item), canvas.news.words(item), trouble and f"⚠ {trouble}")
        return [name, says, leads, locked, *marks]

    def _connector(self, link: Link) -> str:
        source, target = (self._name(self._canvas.state.items[key]) for key in (link.source, link.target))
        label = f": {brief(link.label, _LONGEST)}" if link.label else ""
        return f"Connector from {source} to {target}{label}."

    def _name(self, item: Item) -> str:
        return brief(item.label or self._canvas.item_views.title(item) or "Unnamed item", _LONGEST)

    def announce(self) -> None:
        """Announce the selection."""
        words = self.words()
        self._widget.setAccessibleDescription(words)
        announce(self._widget, words)

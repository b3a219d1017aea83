"""The desktop in words for screen readers: the selection, as you go from item to item."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QAccessible
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
    def selection_changed(self) -> SignalInstance: ...

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

    def __init__(self, canvas: SpokenCanvas, widget: QWidget, item_changed: SignalInstance) -> None:
        """Make it. `item_changed` is emitted when the selected item may look different."""
        self._canvas = canvas
        self._widget = widget
        canvas.selection_changed.connect(self.announce)
        item_changed.connect(self._follow)

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
        told = " ".join(_sentence(words) for words in self._told(item) if words)
        return f"{order.index(item) + 1} of {len(order)}: {told}"

    def _told(self, item: Item) -> list[str]:
        canvas, name = self._canvas, self._name(item)
        says = brief(" ".join(canvas.item_views.spoken(item).split()), _LONGEST)
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
        self.refresh()
        announce(self._widget, self._widget.accessibleDescription())

    def refresh(self) -> None:
        """Describe the selection as it is now, for when the focus comes back."""
        self._widget.setAccessibleDescription(self.words())

    def _follow(self) -> None:
        """Keep the description up to date while the selected item changes."""
        if QAccessible.isActive():
            self.refresh()


def _sentence(words: str) -> str:
    """End words with a full stop, unless they end a sentence already."""
    return words if words.endswith((".", "?", "!", "…", ":")) else f"{words}."

"""The network monitor: traffic, losses, token rotation time and slow members.

It refreshes once a second while it is visible and measures nothing otherwise. The charts appear after the
text, because loading the chart library takes a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QDockWidget,
    QHeaderView,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.app.network.cli import many
from liven.app.network_panel.history import Flow, History, Moment, amount, channel_of
from liven.liveobjects.channel.line.traffic_counters import NetworkSnapshot, TrafficCounters
from liven.liveobjects.look.view.labels import plain_label, plain_tip

if TYPE_CHECKING:
    from liven.app.network_panel.plots import Plots

EVERY_MS = 1000
MOST = 500
"""Most groups that are listed."""
MUCH = 500_000
"""Bytes per second from which the panel says who sends them."""
NAMED = 3
"""Most names of those whom a group waits for."""
NO_ENGINE = "No network connection: nothing that is open here is shared."
QUIET = "No traffic at the moment."
_HEAD = {
    "Group": "Networks and their groups, by the object they carry",
    "Members": "Number of programs in the group",
    "Out/s": "Messages sent by this program per second",
    "In/s": "Messages received per second",
    "Bytes/s": "Bytes of both per second",
    "State": "The reason if the group is slow, and whom it waits for",
}
"""The column titles with their explanations."""
_SHARES = (430, 570)
"""Relative widths of charts and table."""
_STATE = len(_HEAD) - 1
_WIDEST_STATE = 180
"""Pixels; leaves room for the names."""


class NetworkMonitor(QDockWidget):
    """A summary, charts, and a table of networks and their groups."""

    def __init__(
        self,
        onlooker: TrafficCounters,
        whose: Callable[[str], tuple[str, ...]],
        who: Callable[[int], str] = lambda _: "",
    ) -> None:
        """Create the dock. `whose` returns the name of the object on a channel and of its containers; `who`
        returns the name of the person behind a member. Both return nothing if it is unknown."""
        super().__init__("Network monitor")
        self.setObjectName("network")
        self.history = History()
        self._onlooker = onlooker
        self._object_on = whose
        self._person_of = who
        self._plots: Plots | None = None
        self._words = plain_label()
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setAccessibleName("Summary of the network")
        self._tree = _table()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self._tree)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self._words)
        layout.addWidget(self._split, 1)
        self.setWidget(page)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self.visibilityChanged.connect(self._seen)

    def refresh(self) -> None:
        """Read the counters and update everything."""
        look = self._onlooker.look()
        self.history.add(look)
        now = self.history.now
        self._words.setText(self._told(look, now))
        self._split.setVisible(look is not None and bool(look.groups))
        self._list(now.flows if now is not None else ())
        if self._plots is not None:
            self._plots.show_history(self.history.moments)

    def end(self) -> None:
        """Stop refreshing: the window closes."""
        self._timer.stop()
        self._onlooker.rest()

    def _seen(self, visible: bool) -> None:
        if visible == self._timer.isActive():
            return
        if visible:
            self.refresh()
            self._timer.start()
            if self._plots is None:
                QTimer.singleShot(0, self, self._draw)
        else:
            self.end()
            self.history.pause()

    def _draw(self) -> None:
        """Add the charts after the text is painted, because pyqtgraph loads numpy."""
        from liven.app.network_panel.plots import Plots  # loads pyqtgraph and numpy, so only when shown

        if self._plots is None:
            self._plots = Plots()
            self._split.insertWidget(0, self._plots)
            self._split.setSizes(list(_SHARES))
            self._plots.show_history(self.history.moments)

    def _list(self, flows: tuple[Flow, ...]) -> None:
        """Update the rows in place, so that the selection stays."""
        wanted = {flow.group: flow for flow in flows[:MOST]}
        for network in _children(self._tree.invisibleRootItem()):
            for row in _children(network):
                if row.data(0, _GROUP) not in wanted:
                    network.removeChild(row)
            if network.childCount() == 0:
                self._tree.takeTopLevelItem(self._tree.indexOfTopLevelItem(network))
        for flow in wanted.values():
            self._fill(self._row(flow), flow)

    def _row(self, flow: Flow) -> QTreeWidgetItem:
        """Return the row of a group, creating it if necessary."""
        networks = _children(self._tree.invisibleRootItem())
        network = next((one for one in networks if one.text(0) == flow.network), None)
        if network is None:
            network = QTreeWidgetItem(self._tree, [flow.network])
            network.setExpanded(True)
        found = next((one for one in _children(network) if one.data(0, _GROUP) == flow.group), None)
        return found or QTreeWidgetItem(network)

    def _fill(self, row: QTreeWidgetItem, flow: Flow) -> None:
        row.setData(0, _GROUP, flow.group)
        name, state = self._name(flow), self._state(flow) or "ok"
        row.setToolTip(0, plain_tip(f"{name} ({flow.group})"))
        row.setToolTip(_STATE, plain_tip(state))
        numbers = (str(flow.members), amount(flow.sent), amount(flow.received), amount(flow.size, "B"))
        for column, text in enumerate((name, *numbers, state)):
            row.setText(column, text)
            if 0 < column < _STATE:
                row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def _name(self, flow: Flow) -> str:
        """Return a readable name for a group: the object on its channel, else the channel. Containers come
        last, where a long name is cut off."""
        channel = channel_of(flow.group)
        *places, name = self._object_on(channel) or (channel.rpartition("/")[2],)
        within = f" in {' / '.join(places)}" if places else ""
        return f"{name}{within}" if channel == flow.group else f"{name}: who is here{within}"

    def _state(self, flow: Flow) -> str:
        """Return the reason why a group is slow, whom it waits for, and who sends very much; empty if none of
        this is so."""
        named = [f"{self._person_of(one.node) or f'member {one.node}'} ({one.words})" for one in flow.waits]
        node, rate = flow.busiest
        if flow.limited:
            return flow.limited
        if rate >= MUCH and not named and not flow.slow:
            return f"{self._person_of(node) or f'member {node}'} sends {amount(rate, 'B')} a second"
        if not named:
            return flow.slow
        return f"waits for {', '.join(named[:NAMED])}{' …' if len(named) > NAMED else ''}"

    def _told(self, look: NetworkSnapshot | None, now: Moment | None) -> str:
        if look is None:
            return NO_ENGINE
        groups = many(len(look.groups), "group")
        if not look.groups:
            return "Connected; no group is open."
        if now is None:
            return f"In {groups}. The first figures appear in a second."
        return " ".join((f"In {groups}.", _rates(now), _quality(now), self._slow(now)))

    def _slow(self, now: Moment) -> str:
        names = [f"“{self._name(flow)}” {self._state(flow)}" for flow in now.slow]
        if names:
            return f"⚠ {'; '.join(names[:3])}{' …' if len(names) > 3 else ''}."
        return "No member is slow." if not now.row.slow else f"⚠ {many(now.row.slow, 'group')} slow."


_GROUP = Qt.ItemDataRole.UserRole


class _Bounded(QStyledItemDelegate):
    """A label that asks for no more than its share of the width."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        wanted = super().sizeHint(option, index)
        return wanted.boundedTo(QSize(_WIDEST_STATE, wanted.height()))


def _table() -> QTreeWidget:
    made = QTreeWidget()
    made.setAccessibleName("Networks and groups")
    made.setIndentation(12)
    made.setColumnCount(len(_HEAD))
    made.setHeaderLabels(list(_HEAD))
    made.setTextElideMode(Qt.TextElideMode.ElideRight)
    made.setItemDelegateForColumn(_STATE, _Bounded(made))
    for column, meaning in enumerate(_HEAD.values()):
        made.headerItem().setToolTip(column, plain_tip(meaning))
    header = made.header()
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in range(1, len(_HEAD)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return made


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (item.child(row) for row in range(item.childCount()))
    return [child for child in found if child is not None]


def _rates(now: Moment) -> str:
    if now.sent + now.received == 0:
        return QUIET
    messages = f"{amount(now.sent)} messages sent and {amount(now.received)} received per second"
    bytes_in = amount(1e6 * now.row.megabytes, "B")
    return f"{messages}; {amount(now.bytes_out, 'B')} sent and {bytes_in} received."


def _quality(now: Moment) -> str:
    loss = f"Loss {now.row.loss:.1f} %." if now.row.loss else "No loss."
    return f"{loss} Token round trip {now.row.round_trip:.1f} ms." if now.row.round_trip else loss

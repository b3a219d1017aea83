"""The network monitor: without an engine, during typing, hidden, and at the end."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QTreeWidget

from liven.app.network_panel.dock import NO_ENGINE, QUIET, NetworkMonitor
from liven.app.network_panel.plots import Plots
from liven.app.palette.command_palette import CommandPalette
from liven.app.palette.new_objects import note
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.line.traffic_counters import GroupTraffic, NetworkSnapshot, TrafficCounters
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.multicast.laggard import Lag, Laggard

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def words(monitor: Any) -> str:
    found = monitor.findChild(QLabel)
    assert isinstance(found, QLabel)
    return found.text()


def table(monitor: Any) -> list[list[str]]:
    """Return every row: the name of a network, all columns of a group."""
    tree = monitor.findChild(QTreeWidget)
    assert isinstance(tree, QTreeWidget)
    told = []
    for at in range(tree.topLevelItemCount()):
        network = tree.topLevelItem(at)
        assert network is not None
        told.append([network.text(0)])
        for row in range(network.childCount()):
            group = network.child(row)
            assert group is not None
            told.append([group.text(column) for column in range(tree.columnCount())])
    return told


def by_key(desk: Any, window: ObjectWindow) -> Any:
    """Open the monitor by its shortcut."""
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_T, CTRL_SHIFT)
    found = window.findChild(NetworkMonitor)
    assert isinstance(found, NetworkMonitor)
    desk.wait(found.isVisible)
    return found


def lines(desk: Any) -> Any:
    return desk.program.session.node.service(ChannelSystem).lines


def test_without_an_engine_the_monitor_says_so_and_starts_none(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    monitor = by_key(desk, window)
    assert words(monitor) == NO_ENGINE
    desk.wait(lambda: monitor.findChild(Plots) is not None)
    assert not monitor.findChild(Plots).isVisible()
    assert desk.program.channels._engine is None


def test_typing_shows_traffic_under_the_name_of_the_object(desk: Any) -> None:
    window = desk.open(note("Shopping"))
    monitor = by_key(desk, window)
    desk.wait(lambda: monitor.findChild(Plots) is not None)

    def flows() -> bool:
        QTest.keyClicks(window.centralWidget(), "milk ")
        return "messages sent and 0 received" in words(monitor)

    desk.wait(flows)
    assert "No member is slow." in words(monitor)
    assert max(monitor.findChild(Plots).values()["out"]) > 0
    [network, page, *presence] = table(monitor)
    assert network == ["home"]
    assert (page[0], page[5]) == ("Shopping", "ok")
    assert all(row[0] == "Shopping: who is here" for row in presence)
    desk.wait(lambda: table(monitor)[1][1] == "1")
    desk.wait(lambda: QUIET in words(monitor))


def test_a_hidden_monitor_reads_no_counters(desk: Any) -> None:
    window = desk.open(note("Shopping"))
    monitor = by_key(desk, window)
    desk.wait(lambda: lines(desk).counting == 1)
    QTest.keyClick(window, Qt.Key.Key_T, CTRL_SHIFT)
    desk.wait(lambda: not monitor.isVisible())
    assert lines(desk).counting == 0
    assert not monitor._timer.isActive()
    QTest.keyClick(window, Qt.Key.Key_T, CTRL_SHIFT)
    desk.wait(lambda: lines(desk).counting == 1)


def test_the_monitor_stops_with_its_window(desk: Any) -> None:
    desk.open(note("Other"), "other")
    window = desk.open(note("Shopping"))
    monitor = by_key(desk, window)
    desk.wait(lambda: lines(desk).counting == 1)
    window.close()
    assert lines(desk).counting == 0
    assert not monitor._timer.isActive()


def test_the_monitor_is_in_the_menu_and_the_command_palette(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    entries = [one.text() for menu in window.findChildren(QMenu) for one in menu.actions()]
    assert "Network monitor" in entries
    desk.press(window, "Command palette…")
    palette = window.findChild(CommandPalette)
    QTest.keyClicks(palette.findChild(QLineEdit), "network")
    QTest.keyClick(palette.findChild(QLineEdit), Qt.Key.Key_Return)
    desk.wait(lambda: window.findChild(NetworkMonitor).isVisible())


def test_a_window_without_a_program_has_no_network_monitor(qtbot: Any) -> None:
    window = ObjectWindow("empty")
    qtbot.addWidget(window)
    window.show_network()
    assert "no network" in window._message.text()


class Engine:
    """An engine with figures from the test."""

    def __init__(self) -> None:
        self.at = 0.0
        self.groups: tuple[GroupTraffic, ...] = ()
        self.stats: dict[str, int] = {}
        self.laggards: tuple[Laggard, ...] = ()

    def look(self) -> NetworkSnapshot:
        self.at += 1
        return NetworkSnapshot(self.at, self.stats, self.groups, self.laggards)

    def rest(self) -> None: ...


def shown(qtbot: Any, engine: Engine) -> Any:
    onlooker: TrafficCounters = engine  # type: ignore[assignment]  # it looks the same
    things = {"home/f/list": ("List",), "home/f/page": ("Welcome desktop", "Shopping list")}
    people = {7: "Bob"}
    monitor = NetworkMonitor(onlooker, lambda name: things.get(name, ()), lambda node: people.get(node, ""))
    qtbot.addWidget(monitor)
    monitor.show()
    qtbot.waitUntil(lambda: monitor.findChild(Plots) is not None)
    return monitor


def test_loss_round_trip_and_slow_members_are_listed_and_drawn(qtbot: Any) -> None:
    engine = Engine()
    monitor = shown(qtbot, engine)
    engine.groups = (GroupTraffic("home/f/list", 3, 5, 40, 900, "waits for a slow member"),)
    engine.stats = {"packets_received": 100, "repairs_received": 2, "token_rtt": 3_000_000}
    monitor.refresh()
    assert "Loss 2.0 %. Token round trip 3.0 ms." in words(monitor)
    assert "⚠ “List” waits for a slow member." in words(monitor)
    assert table(monitor)[1][5] == "waits for a slow member"
    drawn = monitor.findChild(Plots).values()
    assert drawn["loss, %"][-1] == 2.0
    assert drawn["token, ms"][-1] == 3.0


def test_members_that_others_wait_for_are_named(qtbot: Any) -> None:
    engine = Engine()
    engine.groups = (GroupTraffic("home/f/list", 3, 0, 0, 0, "", (1, 7, 8)),)
    monitor = shown(qtbot, engine)
    engine.laggards = (Laggard(7, Lag.SILENT, "", 4, 3.0), Laggard(8, Lag.BEHIND, "", 2))
    monitor.refresh()
    waits = "waits for Bob (silent for 3 s), member 8 (2 packets behind)"
    assert f"⚠ “List” {waits}." in words(monitor)
    assert table(monitor)[1][5] == waits
    engine.laggards = ()
    monitor.refresh()
    assert "No member is slow." in words(monitor)
    assert table(monitor)[1][5] == "ok"


def test_a_long_list_of_slow_members_is_shortened(qtbot: Any) -> None:
    engine = Engine()
    engine.groups = (GroupTraffic("home/f/list", 9, 0, 0, 0, "", tuple(range(1, 10))),)
    engine.laggards = tuple(Laggard(node, Lag.SILENT) for node in range(2, 8))
    monitor = shown(qtbot, engine)
    monitor.refresh()
    assert table(monitor)[1][5].count("(silent)") == 3
    assert table(monitor)[1][5].endswith(" …")


def test_the_selected_row_stays_and_rows_of_left_groups_disappear(qtbot: Any) -> None:
    engine = Engine()
    engine.groups = tuple(GroupTraffic(f"home/f/{name}", 1, 0, 0, 0, "") for name in ("a", "b"))
    monitor = shown(qtbot, engine)
    monitor.refresh()
    tree = monitor.findChild(QTreeWidget)
    second = tree.topLevelItem(0).child(1)
    tree.setCurrentItem(second)
    engine.groups = (engine.groups[1], GroupTraffic("away/f/c", 1, 0, 0, 0, ""))
    monitor.refresh()
    assert tree.currentItem() is second
    assert [row[0] for row in table(monitor)] == ["home", "b", "away", "c"]
    engine.groups = ()
    monitor.refresh()
    assert table(monitor) == []
    assert "no group is open" in words(monitor)


def test_the_chart_library_is_loaded_only_when_charts_are_shown() -> None:
    code = (
        "import sys; import liven.app.program.desktop_program;"
        "print([one for one in ('pyqtgraph', 'numpy') if one in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_group_names_stay_readable_in_a_narrow_window(qtbot: Any) -> None:
    engine = Engine()
    groups = ("home/f/list", "home/f/page", "home/f/page/presence")
    engine.groups = tuple(GroupTraffic(name, 3, 5000, 40_000, 900_000_000, "") for name in groups)
    monitor = shown(qtbot, engine)
    monitor.resize(800, 260)
    for _ in range(2):  # of the first look, there are no rates
        monitor.refresh()
    names = [row[0] for row in table(monitor)[1:]]
    assert names == [
        "List",
        "Shopping list in Welcome desktop",
        "Shopping list: who is here in Welcome desktop",
    ]
    tree = monitor.findChild(QTreeWidget)
    assert tree.textElideMode() == Qt.TextElideMode.ElideRight
    row = tree.topLevelItem(0).child(1)
    qtbot.waitUntil(lambda: tree.header().length() == tree.viewport().width())
    read = tree.fontMetrics().horizontalAdvance("Shopping list…")
    assert tree.visualItemRect(row).width() > read
    assert "Shopping list in Welcome desktop" in row.toolTip(0)


@pytest.mark.parametrize("state", ["", "waits for a slow member, " * 9])
def test_column_titles_fit_in_a_window_of_default_size(qtbot: Any, state: str) -> None:
    engine = Engine()
    engine.groups = tuple(
        GroupTraffic(f"home/f/{name}", 3, 5000, 40_000, 900_000_000, state)
        for name in ("Shopping list for the weekend", "Shopping list for the week")
    )
    monitor = shown(qtbot, engine)
    monitor.resize(900, 260)
    for _ in range(2):  # of the first look, there are no rates
        monitor.refresh()
    tree = monitor.findChild(QTreeWidget)
    header, metrics = tree.header(), tree.header().fontMetrics()
    qtbot.waitUntil(lambda: header.length() == tree.viewport().width())
    for column in range(header.count()):
        words = tree.headerItem().text(column)
        assert header.sectionSize(column) > metrics.horizontalAdvance(words), words
        assert tree.headerItem().toolTip(column)
    row = tree.topLevelItem(0).child(0)
    assert "Shopping list for the weekend" in row.toolTip(0)
    assert (state.strip(" ,") or "ok") in row.toolTip(5)

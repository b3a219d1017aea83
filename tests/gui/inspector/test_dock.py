"""The inspector: tree, graph, probe and monitor, and no work while it is hidden."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTabWidget, QTreeWidget

from liven.app.inspector.dock import Inspector
from liven.app.inspector.event_probe import EventProbe
from liven.app.inspector.graph import MOST, Graph
from liven.app.inspector.tree import Tree
from liven.app.window.object_window import ObjectWindow
from liven.runtime.objects.connection_taps import KEPT
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.proxy import Proxy
from liven.types.terms.endpoint_types import ObjectType

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def text(inspector: Inspector) -> str:
    inspector.refresh()
    inspector.copy()
    return QGuiApplication.clipboard().text()


def opened(desk: Any, local_recipe: Any) -> tuple[Any, Any]:
    """Open a window on a note and its inspector by shortcut."""
    window = desk.open(local_recipe("liven:text", "List"))
    window.resize(1000, 800)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_I, CTRL_SHIFT)
    inspector = window.findChild(Inspector)
    desk.wait(lambda: inspector.isVisible() and inspector._timer.isActive())
    return window, inspector


def row(inspector: Any, name: str) -> Any:
    """Return the row of an endpoint of the note."""
    tree = inspector.findChild(Tree)
    found = tree.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    return next(one for one in found if one.parent() is not None and one.parent().text(0) == "List")


def click(inspector: Any, item: Any) -> None:
    """Click a row."""
    tree = inspector.findChild(Tree)
    tree.scrollToItem(item)
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center())


def button(inspector: Any, words: str) -> Any:
    return next(one for one in inspector.findChildren(QPushButton) if words in one.text().replace("&", ""))


def listed(inspector: Any) -> list[list[str]]:
    """Return the events in the probe, without their times."""
    events = inspector.findChild(EventProbe).findChild(QTreeWidget)
    rows = [events.topLevelItem(at) for at in range(events.topLevelItemCount())]
    return [[one.text(column) for column in (1, 2, 3)] for one in rows]


def taps(node: Any) -> int:
    ends = [end for proxy in node.running.values() for end in proxy.endpoints.values()]
    return sum(len(end.connection._taps) for end in ends if end.connection is not None)


def test_the_tree_lists_objects_and_connections_and_is_updated(desk: Any, local_recipe: Any) -> None:
    _, inspector = opened(desk, local_recipe)
    said = text(inspector)
    assert "TextObject" in said
    assert "channel → List/Parameter[channel]" in said
    other = desk.open(local_recipe("liven:text", "Other"))
    assert "Other" in text(inspector)
    other.close()
    desk.wait(lambda: "Other" not in text(inspector))
    desk.click(button(inspector, "Copy"))
    assert "objects with" in inspector.findChild(QLabel).text()


def test_a_hidden_inspector_counts_nothing(desk: Any, local_recipe: Any) -> None:
    window, inspector = opened(desk, local_recipe)
    assert taps(desk.program.session.node) > 0
    QTest.keyClick(window, Qt.Key.Key_I, CTRL_SHIFT)
    desk.wait(lambda: not inspector._timer.isActive())
    assert taps(desk.program.session.node) == 0
    QTest.keyClick(window, Qt.Key.Key_I, CTRL_SHIFT)
    desk.wait(lambda: inspector.isVisible() and inspector._timer.isActive())


def test_without_running_objects_a_message_says_so(qtbot: Any) -> None:
    window = ObjectWindow("empty")
    qtbot.addWidget(window)
    window.show_inspector()
    assert "Nothing is running here" in window._message.text()


def test_event_rates_appear_in_the_tree_and_the_graph(desk: Any, local_recipe: Any) -> None:
    window, inspector = opened(desk, local_recipe)
    graph = inspector.findChild(Graph)
    connection = window.handle.proxy().endpoints["channel"].connection

    def told() -> bool:
        QTest.keyClicks(window.centralWidget(), "milk ")
        return bool(row(inspector, "channel").text(2))

    desk.wait(told)
    assert row(inspector, "channel").text(2).endswith("/s")
    assert graph.rate_on(connection) == row(inspector, "channel").text(2)
    assert row(inspector, "UI").text(2) == ""
    desk.wait(lambda: graph.rate_on(connection) == "")


def test_a_probe_lists_the_events_of_an_endpoint_with_their_values_until_it_is_stopped(
    desk: Any, local_recipe: Any
) -> None:
    window, inspector = opened(desk, local_recipe)
    click(inspector, row(inspector, "channel"))
    desk.click(button(inspector, "Probe"))
    assert inspector.findChild(QTabWidget).currentWidget() is inspector.findChild(EventProbe)
    QTest.keyClicks(window.centralWidget(), "milk")
    desk.wait(lambda: len(listed(inspector)) >= 8)
    assert {way for way, _, _ in listed(inspector)} == {"in", "out"}
    assert {event for _, event, _ in listed(inspector)} == {"send", "receive"}
    assert all("liven-text" in values for _, _, values in listed(inspector))
    before = listed(inspector)
    desk.click(button(inspector, "Stop probing"))
    QTest.keyClicks(window.centralWidget(), "and more")
    desk.bot.wait(300)
    assert listed(inspector) == before


def test_a_probe_keeps_the_last_events_and_says_how_many_there_were(desk: Any, local_recipe: Any) -> None:
    window, inspector = opened(desk, local_recipe)
    click(inspector, row(inspector, "channel"))
    desk.click(button(inspector, "Probe"))
    QTest.keyClicks(window.centralWidget(), "x" * KEPT)
    desk.wait(lambda: len(listed(inspector)) == KEPT)
    desk.wait(lambda: f"{2 * KEPT} events, the last {KEPT} below" in words_of_probe(inspector))


def words_of_probe(inspector: Any) -> str:
    return str(inspector.findChild(EventProbe).findChild(QLabel).text())


def test_a_probe_reports_an_unconnected_or_ended_endpoint(desk: Any, local_recipe: Any) -> None:
    _, inspector = opened(desk, local_recipe)
    other = desk.open(local_recipe("liven:text", "Other"))
    end = other.handle.proxy().endpoints["channel"]
    panel = inspector.findChild(EventProbe)
    panel.probe(end)
    end.connection.dispose()
    panel.refresh()
    assert "is not connected" in words_of_probe(inspector)
    other.close()
    desk.wait(lambda: "has ended" in words_of_probe(inspector))


def test_hiding_or_closing_the_inspector_removes_the_probe(desk: Any, local_recipe: Any) -> None:
    desk.open(local_recipe("liven:text", "Stays"), "stays")
    window, inspector = opened(desk, local_recipe)
    click(inspector, row(inspector, "channel"))
    desk.click(button(inspector, "Probe"))
    desk.click(button(inspector, "Monitor"))
    window.close()
    assert taps(desk.program.session.node) == 0


def test_a_broken_promise_on_a_monitored_connection_is_a_problem(desk: Any, local_recipe: Any) -> None:
    _, inspector = opened(desk, local_recipe)
    click(inspector, row(inspector, "channel"))
    desk.click(button(inspector, "Monitor"))
    assert row(inspector, "channel").text(3) == "on"
    desk.click(button(inspector, "Stop monitoring"))
    assert row(inspector, "channel").text(3) == ""
    desk.click(button(inspector, "Monitor"))
    connection = inspector.findChild(Tree).chosen().connection
    channel = connection.opposite(inspector.findChild(Tree).chosen())
    assert len(desk.problems) == 0
    channel.send("initialize", None)
    channel.send("initialize", None)
    inspector.refresh()
    assert "promise broken" in row(inspector, "channel").text(3)
    assert [problem.kind.value for problem in desk.problems] == ["broken"]


def test_switching_a_monitor_on_during_typing_reports_nothing(desk: Any, local_recipe: Any) -> None:
    window, inspector = opened(desk, local_recipe)
    click(inspector, row(inspector, "channel"))
    desk.click(button(inspector, "Monitor"))
    QTest.keyClicks(window.centralWidget(), "milk and bread")
    desk.wait(lambda: window.handle.proxy().instance.note.pending == 0)
    assert list(desk.problems) == []


def test_clicking_a_box_or_line_selects_it_in_the_tree(desk: Any, local_recipe: Any) -> None:
    window, inspector = opened(desk, local_recipe)
    graph, tree = inspector.findChild(Graph), inspector.findChild(Tree)
    note = window.handle.proxy()
    channel = note.endpoints["channel"].connection.opposite(note.endpoints["channel"]).proxy
    boxes = [graph.box_of(one).center().toPoint() for one in (note, channel)]
    for box, proxy in zip(boxes, (note, channel), strict=True):
        QTest.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=box)
        assert tree.chosen() is proxy
    QTest.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=between(graph, note, channel))
    chosen = tree.chosen()
    assert isinstance(chosen, Endpoint)
    assert chosen.connection is note.endpoints["channel"].connection


def between(graph: Graph, one: Proxy, other: Proxy) -> QPoint:
    """Return a point on a line of the graph, between two columns."""
    start, end = graph.box_of(one), graph.box_of(other)
    way = end.center() - start.center()
    share = (start.right() + 20 - start.center().x()) / way.x()
    return QPointF(start.center().x() + share * way.x(), start.center().y() + share * way.y()).toPoint()


def test_selecting_another_object_draws_its_graph(desk: Any, local_recipe: Any) -> None:
    _, inspector = opened(desk, local_recipe)
    other = desk.open(local_recipe("liven:text", "Other"))
    inspector.refresh()
    tree, graph = inspector.findChild(Tree), inspector.findChild(Graph)
    [item] = tree.findItems("Other", Qt.MatchFlag.MatchExactly)
    tree.setCurrentItem(item)
    assert not graph.box_of(other.handle.proxy()).isEmpty()


def test_the_graph_is_limited_and_says_how_many_objects_are_missing(desk: Any, qtbot: Any) -> None:
    graph = Graph()
    qtbot.addWidget(graph)
    node = desk.program.session.node
    many = [Proxy(node, (f"p{number}",), ObjectType(())) for number in range(MOST + 7)]
    graph.draw(many)
    said = [one.text() for one in graph.scene().items() if hasattr(one, "text")]
    assert "… and 7 more" in said
    for proxy in many:
        proxy.end()

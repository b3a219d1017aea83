"""The charts of the network monitor. Import this module only when they are shown: pyqtgraph loads numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from liven.app.network_panel.history import KEPT, Moment


@dataclass(frozen=True, slots=True)
class Curve:
    """One line, with a dash pattern and a colour of its own."""

    name: str
    value: Callable[[Moment], float]
    hue: int
    dash: Qt.PenStyle


@dataclass(frozen=True, slots=True)
class Chart:
    """One plot with its curves."""

    title: str
    unit: str
    curves: tuple[Curve, ...]


_SOLID, _DASHED = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
CHARTS = (
    Chart(
        "Messages",
        "a second",
        (
            Curve("in", lambda moment: moment.received, 210, _SOLID),
            Curve("out", lambda moment: moment.sent, 25, _DASHED),
        ),
    ),
    Chart(
        "Delay and loss",
        "ms, %",
        (
            Curve("token, ms", lambda moment: moment.row.round_trip, 130, _SOLID),
            Curve("loss, %", lambda moment: moment.row.loss, 0, _DASHED),
        ),
    ),
)


class Plots(QWidget):
    """The charts side by side, over the same minutes, in the system's colours."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Charts of the network")
        self.setAccessibleDescription("The text above and the table below have the same figures.")
        self._board = pg.GraphicsLayoutWidget()
        self._board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._charts = [self._chart(chart) for chart in CHARTS]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._board)
        self.setMinimumHeight(140)
        self._colour()

    def show_history(self, moments: Sequence[Moment]) -> None:
        """Draw the last minutes, with now at the right edge."""
        if not moments:
            for _, line in self._lines():
                line.setData([], [])
            return
        end = moments[-1].at
        ages = [moment.at - end for moment in moments]
        for plot, lines in self._charts:
            highest = 1.0
            for curve, line in lines:
                values = [curve.value(moment) for moment in moments]
                line.setData(ages, values)
                highest = max(highest, *values)
            plot.setYRange(0, 1.4 * highest, padding=0)  # room for the legend

    def values(self) -> dict[str, list[float]]:
        """Return the drawn values of each curve by its name."""
        drawn = [(curve.name, line.getData()[1]) for curve, line in self._lines()]
        return {name: [float(y) for y in ys] if ys is not None else [] for name, ys in drawn}

    def changeEvent(self, event: QEvent) -> None:
        """Adopt the new colours when the system switches between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_charts"):
            self._colour()

    def _lines(self) -> list[tuple[Curve, pg.PlotDataItem]]:
        return [line for _, lines in self._charts for line in lines]

    def _chart(self, chart: Chart) -> tuple[pg.PlotItem, list[tuple[Curve, pg.PlotDataItem]]]:
        plot = self._board.addPlot(title=chart.title)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        plot.setXRange(-KEPT, 0, padding=0.02)
        plot.showGrid(x=False, y=True, alpha=0.25)
        plot.setLabel("left", chart.unit)
        plot.setLabel("bottom", "seconds (0 is now)")
        plot.addLegend(offset=(8, 4))
        return plot, [(curve, plot.plot(name=curve.name)) for curve in chart.curves]

    def _colour(self) -> None:
        palette = self.palette()
        ground, ink = palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text)
        dark = ground.lightness() < 128
        self._board.setBackground(ground)
        for curve, line in self._lines():
            colour = QColor.fromHsl(curve.hue, 200, 165 if dark else 85)
            line.setPen(pg.mkPen(colour, width=2, style=curve.dash))
        for plot, _ in self._charts:
            for label in (plot.titleLabel, *(label for _, label in plot.legend.items)):
                label.setText(label.text, color=ink)
            for side in ("left", "bottom"):
                plot.getAxis(side).setPen(pg.mkPen(ink))
                plot.getAxis(side).setTextPen(pg.mkPen(ink))

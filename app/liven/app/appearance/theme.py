"""Applying contrast and motion settings to all windows, and following the system's changes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QProcess, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from liven.app.appearance.contrast import EDGES, high_contrast
from liven.app.appearance.settings import Appearance
from liven.app.appearance.system_motion import ask_gnome, config_home, reduced_by_files
from liven.liveobjects.view.accessibility import HIGH_CONTRAST, REDUCED_MOTION

_DARK_BELOW = 128


class Theme(QObject):
    """The applied appearance. It must live as long as the program."""

    def __init__(self, qt: QApplication, chosen: Appearance, environment: Mapping[str, str]) -> None:
        super().__init__(qt)
        self._qt = qt
        self.chosen = chosen
        self._environment = environment
        self._blinks = qt.cursorFlashTime()
        self._effects = [effect for effect in Qt.UIEffect if qt.isEffectEnabled(effect)]
        self._still = reduced_by_files(config_home(environment))
        self._hints = qt.styleHints()
        self._accessibility = self._hints.accessibility() if hasattr(self._hints, "accessibility") else None
        if self._accessibility is not None:
            self._accessibility.contrastPreferenceChanged.connect(lambda _: self.apply())
        self._hints.colorSchemeChanged.connect(lambda _: self.apply())
        self._asked: QProcess | None = None
        self.choose(chosen)

    @classmethod
    def of(cls, qt: QApplication, environment: Mapping[str, str]) -> Theme:
        """Return the program's appearance, creating it if necessary."""
        return qt.findChild(cls) or cls(qt, Appearance(), environment)

    def choose(self, chosen: Appearance) -> None:
        """Apply other choices."""
        self.chosen = chosen
        self.apply()
        if chosen.motion == "system" and self._asked is None:
            self._asked = ask_gnome(self._environment, self, self.rest)

    @property
    def high_contrast(self) -> bool:
        """True if high contrast is on, by choice or because the system wants it."""
        if self.chosen.contrast != "system":
            return self.chosen.contrast == "high"
        hints = self._accessibility
        return hints is not None and hints.contrastPreference() is Qt.ContrastPreference.HighContrast

    @property
    def reduced_motion(self) -> bool:
        """True if animations are off."""
        if self.chosen.motion != "system":
            return self.chosen.motion == "reduced"
        return self._still

    def rest(self) -> None:
        """Switch animations off because the system wants it."""
        self._still = True
        self.apply()

    def apply(self) -> None:
        """Apply the settings to every window, including open ones."""
        high, still = self.high_contrast, self.reduced_motion
        self._qt.setProperty(HIGH_CONTRAST, high)
        self._qt.setProperty(REDUCED_MOTION, still)
        self._qt.setPalette(high_contrast(dark=self._is_dark()) if high else QPalette())
        self._qt.setStyleSheet(EDGES if high else "")
        self._qt.setCursorFlashTime(0 if still else self._blinks)
        for effect in self._effects:
            self._qt.setEffectEnabled(effect, not still)

    def _is_dark(self) -> bool:
        scheme = self._hints.colorScheme()
        if scheme is not Qt.ColorScheme.Unknown:
            return scheme is Qt.ColorScheme.Dark
        return self._qt.style().standardPalette().window().color().lightness() < _DARK_BELOW

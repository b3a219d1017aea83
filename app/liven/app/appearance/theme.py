"""Applying light, contrast and motion to all windows, and following the system's changes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QProcess, Qt
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication

from liven.app.appearance.qt_palette import palette_of
from liven.app.appearance.settings import Appearance
from liven.app.appearance.style_sheet import sheet_of
from liven.app.appearance.system_motion import ask_gnome, config_home, reduced_by_files
from liven.liveobjects.look.tokens import DAY, DUSK, Look, look_of
from liven.liveobjects.look.view import letters
from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT, REDUCED_MOTION

_DARK_BELOW = 128
_USUAL_SIZE = 15.0
"""Pixels of letters up to which a system has not asked for larger ones: 11 points at 96 dots an inch."""
_MOST_ENLARGED = 1.6


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
        # of the system, before this theme changes them
        self._scale = _enlargement(qt.font())
        self._was_dark = qt.style().standardPalette().window().color().lightness() < _DARK_BELOW
        self._worn: Look | None = None
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

    @property
    def is_dark(self) -> bool:
        """True in the light of dusk, by choice or because the system is dark."""
        if self.chosen.light != "system":
            return self.chosen.light == DUSK.name
        scheme = self._hints.colorScheme()
        return self._was_dark if scheme is Qt.ColorScheme.Unknown else scheme is Qt.ColorScheme.Dark

    def apply(self) -> None:
        """Apply the settings to every window, including open ones."""
        high, still, dark = self.high_contrast, self.reduced_motion, self.is_dark
        self._qt.setProperty(LIGHT, (DUSK if dark else DAY).name)
        self._qt.setProperty(HIGH_CONTRAST, high)
        self._qt.setProperty(REDUCED_MOTION, still)
        self._wear(look_of(dark=dark, high_contrast=high))
        self._qt.setCursorFlashTime(0 if still else self._blinks)
        for effect in self._effects:
            self._qt.setEffectEnabled(effect, not still)

    def _wear(self, look: Look) -> None:
        """Dress every window, unless it is dressed so already: a style sheet is read by each widget anew.

        The style is not asked for its name: with a sheet it is another one, and setting it twice would dress
        every widget twice."""
        if self._worn is None:
            self._qt.setStyle("Fusion")
            self._qt.setFont(letters.font("body", scale=self._scale))
        if look is not self._worn:
            self._worn = look
            self._qt.setPalette(palette_of(look))
            self._qt.setStyleSheet(sheet_of(look))


def _enlargement(font: QFont) -> float:
    """Return how much larger letters are than usual, because the system wants them so."""
    return min(max(QFontInfo(font).pixelSize() / _USUAL_SIZE, 1.0), _MOST_ENLARGED)

"""The dialog for light, contrast and motion. Choices apply at once and are saved for the next start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from liven.app.appearance.config_writer import remember
from liven.app.appearance.settings import ALLOWED, AppearanceError, variable
from liven.app.appearance.theme import Theme
from liven.app.config_file import NAME
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.accessibility import announce

LABELS = {"light": "&Light", "contrast": "&Contrast", "motion": "&Motion"}
WORDS = {
    "system": "Follow the system",
    "day": "Day",
    "dusk": "Dusk: dark",
    "high": "High contrast",
    "normal": "Normal",
    "reduced": "Reduced: no animations",
    "full": "Full",
}


class AppearanceDialog(QDialog):
    """Three settings with three choices each."""

    def __init__(
        self, parent: QWidget | None, look: Theme, config: Path, environment: Mapping[str, str]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Contrast, motion and light")
        self._look, self._config = look, config
        self._unkept: dict[str, str] = {}
        """Choices that could not be saved, with the reasons."""
        form = QFormLayout()
        for name, allowed in ALLOWED.items():
            form.addRow(LABELS[name], self._choice(name, allowed))
        self._words = plain_label()
        self._words.setWordWrap(True)
        self._kept = _wins(environment) or f"Saved in {config / NAME} for the next start."
        self._words.setText(self._kept)
        close = QPushButton("C&lose")
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._words)
        layout.addLayout(row)
        self.resize(460, 260)

    def _choice(self, name: str, allowed: tuple[str, ...]) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(LABELS[name].replace("&", ""))
        for value in allowed:
            made.addItem(WORDS[value], value)
        made.setCurrentIndex(allowed.index(getattr(self._look.chosen, name)))
        made.currentIndexChanged.connect(lambda at: self._choose(name, allowed[at]))
        return made

    def _choose(self, name: str, value: str) -> None:
        self._look.choose(replace(self._look.chosen, **{name: value}))
        self._unkept[name] = value
        try:
            for each in tuple(self._unkept):
                remember(self._config, each, self._unkept[each])
                del self._unkept[each]
        except AppearanceError as why:
            self._words.setText(f"Applied until the program ends, but not saved: {why}.")
            announce(self, self._words.text())
        else:
            self._words.setText(self._kept)


def _wins(environment: Mapping[str, str]) -> str:
    """Return a note if environment variables override the settings at the next start."""
    there = [
        f"{variable(name)}={environment[variable(name)]}" for name in ALLOWED if variable(name) in environment
    ]
    return f"The environment variables {' '.join(there)} override this at the next start." if there else ""

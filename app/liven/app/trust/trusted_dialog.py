"""The dialog that lists trusted code and lets you withdraw trust."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from liven.app.trust.trust_store import TrustStore
from liven.liveobjects.look.view.labels import brief, plain_label, plain_tip
from liven.runtime.library.store import Installed, Store
from liven.runtime.signing.known_signers import day_for_people

_LONGEST = 120
_HASH = Qt.ItemDataRole.UserRole


class TrustedDialog(QDialog):
    """A list of the trusted contents, newest first."""

    def __init__(self, parent: QWidget | None, trusted: TrustStore, store: Store) -> None:
        super().__init__(parent)
        self.setWindowTitle("Trusted code")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._trusted, self._store = trusted, store
        self._words = plain_label()
        self._words.setWordWrap(True)
        self._again = QPushButton("&Ask again")
        self._again.setEnabled(False)
        self._again.clicked.connect(self._withdraw_trust)
        self._list = QListWidget()
        self._list.setAccessibleName("Trusted code")
        self._list.currentRowChanged.connect(lambda row: self._again.setEnabled(row >= 0))
        close = QPushButton("&Close")
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self._again, close):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self)
        for widget in (self._words, self._list):
            layout.addWidget(widget)
        layout.addLayout(row)
        self.resize(560, 320)
        self._show()

    def _show(self) -> None:
        self._list.clear()
        for entry in reversed(self._trusted.entries()):
            words = f"library {entry.library}, version {entry.version}, since {day_for_people(entry.day)}"
            file = brief(entry.url.rpartition("/")[2], _LONGEST)
            place = f"\nfrom {brief(entry.url, _LONGEST)}" if entry.url else ""
            words = f"{file}: {words}" if file else words
            item = QListWidgetItem(f"{words}{place}\nsha256 {entry.sha256[:32]}…", self._list)
            item.setData(_HASH, entry.sha256)
            item.setToolTip(plain_tip(entry.sha256))
        none = "No code is trusted permanently."
        some = "This code runs without a question. Running objects continue until you close their windows."
        self._words.setText(some if self._list.count() else none)
        self._list.setCurrentRow(0)

    def _withdraw_trust(self) -> None:
        """Withdraw trust and uninstall the code: there is no question about installed code."""
        sha256 = str(self._list.currentItem().data(_HASH))
        try:
            for one in tuple(self._store.all()):
                if isinstance(one, Installed) and one.recorded() == sha256:
                    self._store.remove(one)
            self._trusted.forget(sha256)
        except OSError as error:
            self._words.setText(
                f"It is still trusted, because the change could not be saved: {error.strerror or error}."
            )
        else:
            self._show()

"""The rarely opened dialogs of a window: trusted code, and the checks of this computer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow


class Dialogs:
    """The dialogs of one window."""

    def __init__(self, window: ObjectWindow) -> None:
        self._window = window
        self._checks: QWidget | None = None
        window.about_to_close.connect(self._close_checks)

    def show_trusted(self) -> None:
        """Show the list of trusted code."""
        from liven.app.trust.trust_store import TrustStore
        from liven.app.trust.trusted_dialog import TrustedDialog  # rarely needed
        from liven.runtime.library.store import Store

        folders = UserFolders.of_user(os.environ)
        TrustedDialog(self._window, TrustStore.of(folders), Store(folders.data / "libraries")).open()

    def check_machine(self) -> None:
        """Open the window that checks this machine."""
        from liven.app.qt_application import machine_checks  # rarely needed
        from liven.app.welcome_window import WelcomeWindow

        self._close_checks()  # they may still be running
        checked = self._checks = WelcomeWindow(machine_checks(UserFolders.of_user(os.environ)))
        checked.show()
        checked.check()

    def _close_checks(self) -> None:
        if self._checks is not None:
            self._checks.close()

"""Files of Qt's resource system that are made in memory."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDir, QFile, QIODevice

from liven.app.appearance.sign_resources import register

FILES = {f"sign-{number}.svg": bytes([number]) * (number + 1) for number in range(40)} | {"ø.svg": b"x"}


def test_every_file_is_found_by_its_name() -> None:
    folder = register("test-of-signs", FILES)
    assert sorted(QDir(folder).entryList()) == sorted(FILES)
    for name, content in FILES.items():
        file = QFile(f"{folder}/{name}")
        assert file.open(QIODevice.OpenModeFlag.ReadOnly)
        assert file.readAll().data() == content
        file.close()


def test_a_folder_is_registered_once() -> None:
    assert register("test-of-signs", FILES) == register("test-of-signs", {})
    assert QFile(":/test-of-signs/ø.svg").size() == 1


@pytest.mark.parametrize("path", [":/test-of-signs/other.svg", ":/nobody/sign-1.svg"])
def test_other_names_are_not_there(path: str) -> None:
    register("test-of-signs", FILES)
    assert not QFile.exists(path)

"""The signs of a style sheet, as files of Qt's resource system that are made in memory.

A style sheet can name only files. Files on disk would have to be written, kept and cleaned up; these end with
the program. The layout is that of Qt's resource compiler, version 1:
https://doc.qt.io/qt-6/resources.html and qtbase/src/tools/rcc.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from PySide6.QtCore import qRegisterResourceData

_VERSION = 1
_DIRECTORY = 2
_ANY_TERRITORY, _C_LANGUAGE = 0, 1
"""For every locale: QLocale.AnyTerritory and QLocale.C."""
_NODE = struct.Struct(">IHII")
_FILE = struct.Struct(">IHHHI")
_MASK = 0xFFFFFFFF
_registered: dict[str, tuple[bytes, bytes, bytes]] = {}
"""Qt keeps pointers to the bytes."""


def register(folder: str, files: Mapping[str, bytes]) -> str:
    """Make files readable as `:/folder/name`, once, and return the path of their folder."""
    if folder not in _registered:
        parts = _compiled(folder, files)
        if not qRegisterResourceData(_VERSION, *parts):
            raise RuntimeError(f"Qt does not take the signs of {folder}")
        _registered[folder] = parts
    return f":/{folder}"


def _compiled(folder: str, files: Mapping[str, bytes]) -> tuple[bytes, bytes, bytes]:
    """Return the tree, the names and the contents of one folder, in which names are sorted by their hash."""
    names, data = bytearray(), bytearray()

    def name(text: str) -> int:
        at = len(names)
        names.extend(struct.pack(">HI", len(text), _hash(text)) + text.encode("utf-16-be"))
        return at

    tree = bytearray(_NODE.pack(0, _DIRECTORY, 1, 1))  # the root, which has no name, and its one folder
    tree += _NODE.pack(name(folder), _DIRECTORY, len(files), 2)
    for file in sorted(files, key=_hash):
        tree += _FILE.pack(name(file), 0, _ANY_TERRITORY, _C_LANGUAGE, len(data))
        data += struct.pack(">I", len(files[file])) + files[file]
    return bytes(tree), bytes(names), bytes(data)


def _hash(text: str) -> int:
    """Return Qt's hash of a name, `qt_hash` in qhash.cpp."""
    made = 0
    for letter in text:
        made = ((made << 4) + ord(letter)) & _MASK
        made ^= (made & 0xF0000000) >> 23
        made &= 0x0FFFFFFF
    return made

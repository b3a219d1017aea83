"""The letters of the program: one family on every computer, in pixels and without hinting.

So a line breaks at the same word everywhere, and people who share a desktop see the same notes. The family
is Source Sans Pro from the package `font-source-sans-pro`. It is loaded under a name of its own, because a
font of the same name that the system has may be another version, with letters of other widths. Its italics
have no Greek and no Cyrillic; for these the upright letters are slanted.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase

from liven.liveobjects.look.tokens import TYPE

FAMILY: Final = "Liven Sans Text"
SLANTED: Final = "Liven Sans Oblq"
"""The upright letters once more, without italics, so that Qt slants them."""
_PACKAGE: Final = "font_source_sans_pro"
_THEIRS: Final = "Source Sans Pro"
"""As long as our names, so that the name in the file can be replaced in place."""
_FILES: Final = ("Regular", "Semibold", "Bold", "It", "SemiboldIt", "BoldIt")
_UPRIGHT: Final = ("Regular", "Bold")
_LARGE: Final = 20
"""From this size letters stand closer together."""
_CLOSER: Final = 98.6


@lru_cache(maxsize=256)
def font(role: str, weight: int = 0, *, italic: bool = False, scale: float = 1.0) -> QFont:
    """Return the font of a role in `tokens.TYPE`; with another weight, slanted, or scaled."""
    letters = TYPE[role]
    return sized(letters.size * scale, weight or letters.weight, italic=italic)


def sized(pixels: float, weight: int = 400, *, italic: bool = False) -> QFont:
    """Return the program's font in a size."""
    made = QFont(families())
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(QFont.Weight(weight))
    made.setItalic(italic)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if pixels >= _LARGE:
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _CLOSER)
    return made


@lru_cache(maxsize=1)
def families() -> list[str]:
    """Load the letters, once, and return their families; the system's if they are not installed."""
    folder = _folder()
    if folder is None:
        logging.getLogger(__name__).warning(
            "The package font-source-sans-pro is not installed: lines may break at other words than on other "
            "computers. Install it with pip."
        )
        return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).families()
    for family, names in ((FAMILY, _FILES), (SLANTED, _UPRIGHT)):
        for name in names:
            data = _renamed((folder / f"SourceSansPro-{name}.ttf").read_bytes(), family)
            if QFontDatabase.addApplicationFontFromData(QByteArray(data)) < 0:
                raise RuntimeError(f"{folder}: Qt cannot read {name}; install font-source-sans-pro again")
    return [FAMILY, SLANTED]


def _folder() -> Path | None:
    """Return the folder of the font files, without importing their package."""
    found = find_spec(_PACKAGE)
    places = None if found is None else found.submodule_search_locations
    return Path(places[0]) / "files" if places else None


def _renamed(data: bytes, family: str) -> bytes:
    """Return a font file with another name of the family. Names are in UTF-16 and in Latin-1."""
    assert len(family) == len(_THEIRS)
    for encoding in ("utf-16-be", "latin-1"):
        data = data.replace(_THEIRS.encode(encoding), family.encode(encoding))
        data = data.replace("SourceSansPro".encode(encoding), family.replace(" ", "").encode(encoding))
    return data

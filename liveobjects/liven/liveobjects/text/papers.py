"""The papers that a note can lie on, and the sizes of its letters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from liven.liveobjects.look.tokens import DAY

CLEAR: Final = "clear"
"""No paper: the text stands on the plane itself."""
PAPERS: Final[tuple[str, ...]] = (*DAY.papers, CLEAR)
"""The papers by name, in the order in which they are offered."""
SIZES: Final[Mapping[str, float]] = MappingProxyType(
    {"small": 0.8125, "medium": 1.0, "large": 1.5, "huge": 2.1875}
)
"""The sizes of letters by name, each with its share of the usual size."""
DEFAULT_SIZE: Final = "medium"
SIZE_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"small": "Small", "medium": "Medium", "large": "Large", "huge": "Extra large"}
)

"""The bytes that the process which draws pages writes for its starter."""

from __future__ import annotations

import struct
from typing import Final

MOST_PAGES: Final = 60
"""Pages of one file that are drawn."""
LARGEST: Final = 64 * 1024 * 1024
"""The largest PDF file."""
SIDE: Final = 1600
"""The longer side of a page in pixels: 140 in an inch of A4."""
HEAD: Final = struct.Struct(">I")
"""First the number of pages in the file."""
PAGE: Final = struct.Struct(">II")
"""Then for each page its width and height, before its pixels of four bytes: blue, green, red and nothing."""
ENCRYPTED: Final = 3
UNREADABLE: Final = 4
MISSING: Final = 5
"""Exit codes of the process."""

"""The process that draws the pages of a PDF file: it reads the file from its standard input, gives up its
rights, and writes pixels to its standard output."""

from __future__ import annotations

import os
import sys
from typing import Final

from liven.liveobjects.desktop.foreign.pdf.page_format import (
    ENCRYPTED,
    HEAD,
    LARGEST,
    MISSING,
    MOST_PAGES,
    PAGE,
    SIDE,
    UNREADABLE,
)
from liven.runtime.sandbox.limits import Limits
from liven.runtime.sandbox.protection import Protection

_MEMORY: Final = 2 << 30
"""Bytes of address space, of which a page of this size needs a fortieth."""


def run() -> int:
    """Draw the file on standard input; return the exit code."""
    data = sys.stdin.buffer.read(LARGEST + 1)
    try:
        import pypdfium2
    except ImportError:
        return MISSING
    _give_up_rights()
    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        return ENCRYPTED if "password" in str(error).lower() else UNREADABLE
    out = sys.stdout.buffer
    out.write(HEAD.pack(count))
    for number in range(min(count, MOST_PAGES)):
        page = document[number]
        wide, high = page.get_size()
        scale = SIDE / max(wide, high, 1.0)
        bitmap = page.render(scale=scale, prefer_bgrx=True)
        out.write(PAGE.pack(bitmap.width, bitmap.height))
        pixels = memoryview(bitmap.buffer).cast("B")
        for line in range(bitmap.height):
            at = line * bitmap.stride
            out.write(pixels[at : at + 4 * bitmap.width])
        out.flush()
        bitmap.close()
        page.close()
    return 0


def _give_up_rights() -> None:
    """Close files, network and other processes, as far as this kernel can. Limits apply everywhere."""
    protection, limits = Protection.of_this_kernel(), Limits(memory=_MEMORY)
    if protection.missing:
        limits.apply()
    else:
        protection.confine([], [], limits)


if __name__ == "__main__":
    code = run()
    sys.stdout.flush()
    os._exit(code)  # PDFium's own end would take as long as the pages

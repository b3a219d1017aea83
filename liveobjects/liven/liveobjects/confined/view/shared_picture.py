"""A picture in memory that two processes share. One writes it, says so, and waits until the other has copied
it; so no half-painted picture is ever shown."""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import Final

from PySide6.QtGui import QImage

FORMAT: Final = QImage.Format.Format_ARGB32_Premultiplied
MOST_PIXELS: Final = 16 << 20
"""The most pixels of one picture: a whole screen of today."""
_BYTES: Final = 4


class SharedPicture:
    """Shared memory of `width` × `height` pixels."""

    def __init__(self, descriptor: int, width: int, height: int) -> None:
        """Map an open file, which this takes over; raise OSError, or ValueError if it is too small."""
        self.width = width
        self.height = height
        self.descriptor = descriptor
        try:
            self._memory = mmap.mmap(descriptor, width * height * _BYTES)
        except BaseException:
            self.close_descriptor()
            raise

    @classmethod
    def make(cls, width: int, height: int) -> SharedPicture:
        """Make a picture of a size that nobody can change: memory that shrinks kills whoever reads it."""
        descriptor = os.memfd_create("liven-picture", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(descriptor, width * height * _BYTES)
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
        return cls(descriptor, width, height)

    def write(self, image: QImage) -> None:
        """Copy an image of this size into the memory."""
        self._memory[:] = image.constBits()

    def read(self) -> QImage:
        """Return a copy of what is in the memory."""
        image = QImage(self.width, self.height, FORMAT)
        with memoryview(self._memory) as view:
            memoryview(image.bits())[:] = view
        return image

    def close_descriptor(self) -> None:
        """Close the open file, once the other process has it. The memory stays, with an open file of its own:
        a desktop may show hundreds of pictures, and a process may open few files."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def close(self) -> None:
        """Release the memory."""
        self._memory.close()
        self.close_descriptor()


def blank(width: int, height: int) -> QImage:
    """Return an image for painting, transparent."""
    image = QImage(width, height, FORMAT)
    image.fill(0)
    return image

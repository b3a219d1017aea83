"""Compression of blocks by name, as MCAP names them. Compressed ones need pyarrow, of the extra `feeds`."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.feeds.errors import FeedError

NONE: Final = ""
CODECS: Final = {"zstd": "zstd", "lz4": "lz4"}
"""Names of MCAP, and those of pyarrow."""
INSTALL: Final = "install it with: pip install 'liven[feeds]'"


class MissingLibraryError(FeedError):
    """Something needs a library that is not installed."""


class CompressionError(FeedError):
    """Compressed bytes cannot be read."""


def has_codecs() -> bool:
    """Return True if compressing is possible here."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def compress(name: str, data: bytes) -> bytes:
    """Return compressed bytes; raise MissingLibraryError."""
    if name == NONE:
        return data
    pa = _pyarrow(name)
    return bytes(pa.Codec(CODECS[name]).compress(data, asbytes=True))


def decompress(name: str, data: bytes, size: int) -> bytes:
    """Return the `size` bytes that were compressed; raise MissingLibraryError or CompressionError."""
    if name == NONE:
        return data
    if name not in CODECS:
        raise CompressionError(
            f"it is compressed as {name!r:.20}, which Liven does not read; use zstd, lz4 or none"
        )
    pa = _pyarrow(name)
    try:
        return bytes(pa.Codec(CODECS[name]).decompress(data, decompressed_size=size, asbytes=True))
    except (OSError, ValueError, pa.ArrowException):
        raise CompressionError("compressed bytes are damaged") from None


def _pyarrow(name: str):  # type: ignore[no-untyped-def]
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingLibraryError(f"compression by {name} needs pyarrow; {INSTALL}") from None
    return pa

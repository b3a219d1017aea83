from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.image.picture_header import (
    LARGEST,
    MOST_PIXELS,
    WIDEST,
    Header,
    NoPictureError,
    looks_like_picture,
    measure,
)


def png(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def jpeg(width: int, height: int, *before: bytes) -> bytes:
    size = b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
    return b"\xff\xd8" + b"".join(before) + size


def segment(marker: int, length: int) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", length) + bytes(length - 2)


def webp(form: bytes, body: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + body


PICTURES = [
    (png(3, 4), Header("png", 3, 4)),
    (b"GIF89a" + struct.pack("<HH", 5, 6), Header("gif", 5, 6)),
    (b"BM" + bytes(12) + struct.pack("<Iii", 40, 7, -8), Header("bmp", 7, 8)),
    (b"BM" + bytes(12) + struct.pack("<IHH", 12, 9, 10), Header("bmp", 9, 10)),
    (jpeg(11, 12), Header("jpeg", 11, 12)),
    (jpeg(11, 12, segment(0xE0, 16), segment(0xC4, 40), b"\xff\xff"[:1]), Header("jpeg", 11, 12)),
    (jpeg(11, 12, segment(0xE1, 60_000), segment(0xE2, 65_000)), Header("jpeg", 11, 12)),
    (webp(b"VP8 ", bytes(6) + struct.pack("<HH", 13, 14 | 0x4000)), Header("webp", 13, 14)),
    (webp(b"VP8L", b"\x2f" + struct.pack("<I", 14 | (15 << 14))), Header("webp", 15, 16)),
    (
        webp(b"VP8X", bytes(4) + (16).to_bytes(3, "little") + (17).to_bytes(3, "little")),
        Header("webp", 17, 18),
    ),
]


@pytest.mark.parametrize(("data", "header"), PICTURES)
def test_the_size_of_a_picture_is_known_before_decoding(data: bytes, header: Header) -> None:
    assert looks_like_picture(data)
    assert measure(data) == header


@pytest.mark.parametrize(
    ("data", "size", "why"),
    [
        (png(60_000, 60_000), None, "60,000 by 60,000 pixels; the limit is 50 million"),
        (png(WIDEST + 1, 1), None, "30,000 on one side"),
        (png(MOST_PIXELS // 1000 + 1, 1000), None, "limit is 50 million"),
        (png(0, 4), None, "size is 0 by 4 pixels"),
        (png(3, 4), LARGEST + 1, "25.2 MB; the limit is 25 MB"),
        (png(3, 4)[:20], None, "ends before the size"),
        (b"\xff\xd8\xff\xe0", None, "ends before the size"),
        (b"<svg/>", None, "not a picture in PNG, JPEG"),
        (b"RIFF....WAVE", None, "not a picture"),
        (b"", None, "not a picture"),
    ],
)
def test_non_pictures_and_decompression_bombs_are_refused(data: bytes, size: int | None, why: str) -> None:
    with pytest.raises(NoPictureError, match=why):
        measure(data, size)


@given(st.sampled_from([start for start, _ in PICTURES]), st.binary(max_size=80), st.integers(0, 60))
def test_any_bytes_give_a_header_or_an_error(start: bytes, junk: bytes, cut: int) -> None:
    try:
        header = measure(start[:cut] + junk)
    except NoPictureError as why:
        assert str(why)
    else:
        assert 0 < header.width * header.height <= MOST_PIXELS


def scanned(times: int, *, ended: bool = True, preview: int = 0) -> bytes:
    """Return a JPEG with this many scans. Its preview and a film after its end have scans of their own."""
    scan = b"\xff\xda\x00\x04\x00\x00" + b"\x11\xff\x00\xff\xd0\x22"
    frame = b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", 10, 20) + b"\x01\x01\x11\x00"
    hidden = scan * preview
    within = b"\xff\xe1" + struct.pack(">H", len(hidden) + 2) + hidden
    return b"\xff\xd8" + within + frame + scan * times + (b"\xff\xd9" + scan * 5000 if ended else b"")


@pytest.mark.parametrize(
    "data", [scanned(1), scanned(200), scanned(10, preview=1000), scanned(200, ended=False)]
)
def test_a_jpeg_with_a_usual_number_of_scans_is_accepted(data: bytes) -> None:
    assert measure(data) == Header("jpeg", 20, 10)


@pytest.mark.parametrize("data", [scanned(201), scanned(50_000), scanned(201, ended=False)])
def test_a_jpeg_with_thousands_of_scans_is_refused_before_decoding(data: bytes) -> None:
    with pytest.raises(NoPictureError, match="more than 200 progressive scans"):
        measure(data)


def test_a_jpeg_with_endless_segments_is_refused() -> None:
    parts = b"\xff\xfe\x00\x02" * 20_000
    with pytest.raises(NoPictureError, match="take minutes"):
        measure(scanned(1, ended=False) + parts)

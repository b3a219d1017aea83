"""Scenes inside pictures that Excalidraw exported."""

from __future__ import annotations

import json
import struct
import zlib
from base64 import b64encode

import pytest

from liven.liveobjects.desktop.foreign.board import ForeignError
from liven.liveobjects.desktop.foreign.excalidraw import embedded_scene
from liven.liveobjects.desktop.foreign.excalidraw.embedded_scene import scene_in_png, scene_in_svg

SCENE = json.dumps({"type": "excalidraw", "elements": [], "words": "Größe"}).encode()


def envelope(scene: bytes = SCENE, *, compressed: bool = True) -> bytes:
    encoded = (zlib.compress(scene) if compressed else scene).decode("latin-1")
    return json.dumps(
        {"version": "1", "encoding": "bstring", "compressed": compressed, "encoded": encoded}
    ).encode()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(data: bytes) -> bytes:
    text = b"application/vnd.excalidraw+json\0" + data
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"tEXt", text) + chunk(b"IEND", b"")


def svg(data: bytes) -> bytes:
    packed = b64encode(data)
    return b"<svg><metadata><!-- payload-start -->" + packed + b"<!-- payload-end --></metadata></svg>"


@pytest.mark.parametrize("compressed", [True, False])
def test_a_scene_comes_out_of_both_kinds_of_pictures(compressed: bool) -> None:
    assert scene_in_png(png(envelope(compressed=compressed))) == SCENE
    assert scene_in_svg(svg(envelope(compressed=compressed))) == SCENE


def test_the_oldest_files_have_the_scene_itself() -> None:
    assert scene_in_png(png(SCENE)) == SCENE


def test_a_picture_without_a_scene_is_only_a_picture() -> None:
    assert scene_in_png(png(b"")[:40]) is None
    assert scene_in_svg(b"<svg/>") is None


def test_a_scene_that_unfolds_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_scene, "LARGEST_FILE", 10_000)
    bomb = envelope(bytes(10_001))
    with pytest.raises(ForeignError, match="more than"):
        scene_in_png(png(bomb))


def test_damaged_scenes_are_refused() -> None:
    damaged = json.dumps({"encoded": "nothing", "compressed": True}).encode()
    with pytest.raises(ForeignError, match="damaged"):
        scene_in_png(png(damaged))
    with pytest.raises(ForeignError, match="damaged"):
        scene_in_svg(b"<!-- payload-start -->abc<!-- payload-end -->")

"""Portable copies as files: what was packed comes out, and everything else is refused within bounds."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.copying import portable_copy
from liven.liveobjects.copying.portable_copy import (
    HeldPicture,
    PortableCopyError,
    packed,
    picture_in,
    unpacked,
)
from liven.liveobjects.copying.states import State
from liven.types.terms.value_types import TEXT

PICTURES = [HeldPicture("cat", "<Object/>", b"123"), HeldPicture("dog", "<Object a='1'/>", bytes(10_000))]


def test_what_was_packed_comes_out() -> None:
    assert unpacked(packed(b"<Root/>", PICTURES)) == (b"<Root/>", PICTURES)
    assert unpacked(packed(b"", [])) == (b"", [])


def archive(**parts: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in parts.items():
            into.writestr(name.replace("_", "."), data)
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "damaged"),
        (packed(b"<Root/>", PICTURES)[:-30], "damaged"),
        (archive(object_liveobject=b"<Root/>"), "damaged"),
        (archive(object_liveobject=b"", pictures_json=b"{}"), "list of pictures"),
        (archive(object_liveobject=b"", pictures_json=b'[["a", "b"]]'), "damaged"),
        (archive(object_liveobject=b"", pictures_json=b"[" * 100_000), "damaged"),
        (archive(object_liveobject=bytes(5_000_000), pictures_json=b"[]"), "too large"),
    ],
)
def test_other_files_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(PortableCopyError, match=why):
        unpacked(data)


def test_parts_that_unfold_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(b"", PICTURES)
    monkeypatch.setattr(portable_copy, "LARGEST", 5_000)
    with pytest.raises(PortableCopyError, match="too large"):
        unpacked(data)
    with pytest.raises(PortableCopyError, match="limit"):
        packed(b"", PICTURES)


def test_too_many_pictures_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portable_copy, "MOST_PICTURES", 1)
    with pytest.raises(PortableCopyError, match="more than 1"):
        packed(b"", PICTURES)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(PortableCopyError):
        unpacked(data)


def test_the_picture_of_an_image_is_the_shown_one() -> None:
    def kept(key: str, data: bytes, size: int) -> dict[str, object]:
        return {"about": {"picture": key, "name": f"{key}.png", "size": size}, "data": data}

    pictures = [kept("a", b"123", 3), kept("b", b"12", 3)]

    def state(shown: str) -> State:
        return State("", TEXT, {"said": None, "held": {"pictures": pictures, "shown": shown}})

    assert picture_in(state("a")) == ("a.png", b"123")
    assert picture_in(state("b")) is None, "it is still arriving"
    assert picture_in(state("")) is None
    assert picture_in(State("", TEXT, "text")) is None
    assert picture_in(State("", TEXT, {"items": []})) is None

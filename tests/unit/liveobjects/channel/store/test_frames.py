"""Frames: encoding and decoding of records, whatever happened to the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.store import frames as frames_module
from liven.liveobjects.channel.store.frames import (
    FRAME_HEAD,
    RECORD_HEAD,
    Damage,
    DamagedError,
    FoundRecord,
    pack_frame,
    pack_record,
    scan,
    unpack_record,
)
from liven.liveobjects.channel.store.records import Record, RecordKind

RECORDS = st.builds(
    Record,
    channel=st.binary(min_size=16, max_size=16),
    kind=st.sampled_from(RecordKind),
    serial=st.integers(0, 2**64 - 1),
    before=st.integers(0, 2**64 - 1),
    payload=st.binary(max_size=60),
    aside=st.booleans(),
)
FRAMES = st.lists(st.lists(RECORDS, min_size=1, max_size=3), min_size=1, max_size=4)


def records_of(data: bytes, salt: int = 5) -> list[Record]:
    return [one.record for one in scan(data, salt) if isinstance(one, FoundRecord)]


@given(FRAMES)
def test_packed_records_are_found_again(frames: list[list[Record]]) -> None:
    data = b"".join(pack_frame(frame, 5)[0] for frame in frames)
    assert records_of(data) == [record for frame in frames for record in frame]
    assert not [one for one in scan(data, 5) if isinstance(one, Damage)]


@given(st.lists(RECORDS, min_size=1, max_size=4))
def test_offsets_are_where_records_begin(frame: list[Record]) -> None:
    data, offsets = pack_frame(frame, 9)
    assert [unpack_record(data, offset, 9) for offset in offsets] == frame


@given(FRAMES, st.data())
def test_a_torn_file_gives_whole_frames_and_the_damage(
    frames: list[list[Record]], draw: st.DataObject
) -> None:
    packed = [pack_frame(frame, 5)[0] for frame in frames]
    data = b"".join(packed)
    length = draw.draw(st.integers(0, len(data)))
    whole, used = 0, 0
    while whole < len(packed) and used + len(packed[whole]) <= length:
        used += len(packed[whole])
        whole += 1
    assert records_of(data[:length]) == [record for frame in frames[:whole] for record in frame]
    damage = [one for one in scan(data[:length], 5) if isinstance(one, Damage)]
    assert damage == ([Damage(used, length - used, at_end=True)] if used < length else [])


@given(FRAMES, st.data())
def test_a_changed_byte_invalidates_only_its_own_frame(
    frames: list[list[Record]], draw: st.DataObject
) -> None:
    packed = [pack_frame(frame, 5)[0] for frame in frames]
    data = bytearray(b"".join(packed))
    place = draw.draw(st.integers(0, len(data) - 1))
    data[place] ^= draw.draw(st.integers(1, 255))
    hit, begin = 0, 0
    while begin + len(packed[hit]) <= place:
        begin += len(packed[hit])
        hit += 1
    rest = [record for number, frame in enumerate(frames) if number != hit for record in frame]
    assert records_of(bytes(data)) == rest
    (damage,) = [one for one in scan(bytes(data), 5) if isinstance(one, Damage)]
    assert (damage.offset, damage.at_end) == (begin, hit == len(frames) - 1)


def test_frames_of_another_segment_are_ignored() -> None:
    data, _ = pack_frame([Record(bytes(16), RecordKind.ENTRY, 1, 0, b"old")], 4)
    assert records_of(data, salt=5) == []


@given(st.binary(max_size=400))
def test_noise_is_damage_and_nothing_else(noise: bytes) -> None:
    found = list(scan(noise, 5))
    assert found == ([Damage(0, len(noise), at_end=True)] if noise else [])


def test_an_unknown_kind_is_reported_as_newer() -> None:
    data = bytearray(pack_record(Record(bytes(16), RecordKind.NAME, 1, 0, b"x"), 5))
    import struct
    import zlib

    data[20] = 99
    data[:4] = struct.pack("<I", zlib.crc32(bytes(data[4:]), 5))
    with pytest.raises(DamagedError, match="newer program"):
        unpack_record(bytes(data), 0, 5)


def test_a_record_that_is_cut_short_is_damaged() -> None:
    data = pack_record(Record(bytes(16), RecordKind.NAME, 1, 0, b"abc"), 5)
    for length in range(len(data)):
        with pytest.raises(DamagedError):
            unpack_record(data[:length], 0, 5)


def test_a_record_longer_than_its_frame_is_damage() -> None:
    record = Record(bytes(16), RecordKind.ENTRY, 1, 0, b"payload")
    good, _ = pack_frame([record], 7)
    body = bytearray(good[FRAME_HEAD:])
    body[RECORD_HEAD - 4 : RECORD_HEAD] = (1_000).to_bytes(4, "little")
    bad = (
        frames_module._FRAME.pack(frames_module.MAGIC, len(body), frames_module._frame_sum(bytes(body), 7))
        + body
    )
    found = list(scan(bad + good * 40, 7))
    assert found[0] == Damage(FRAME_HEAD, len(body), at_end=False)
    assert [one.record for one in found[1:] if isinstance(one, FoundRecord)] == [record] * 40

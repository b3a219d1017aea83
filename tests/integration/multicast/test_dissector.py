"""The dissector for Wireshark, run by tshark: on datagrams written from docs/wire.md, and on real ones."""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from liven.multicast.group import View
from liven.multicast.key_file import ensure_keys
from liven.multicast.service_process import stop_service
from liven.multicast.socket_engine import Engine, EngineConfig, default_place

_SCRIPT = Path(__file__).parents[3] / "multicast" / "liven" / "multicast" / "wireshark" / "liven.lua"
_TAG = bytes(range(16))
_IPV4 = 101
"""The kind of a capture whose packets begin with the IPv4 header."""
_ANY_ETHERNET = 0x0003
_USUAL = {1, 2, 3, 4, 5, 6}
_PAUSE = 0.25

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tshark") is None, reason="there is no tshark here: apt install tshark"),
]
Fields = dict[str, list[str]]


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def delta(value: int, base: int) -> bytes:
    difference = value - base
    return varint(2 * difference if difference >= 0 else -2 * difference - 1)


def spans(base: int, *ranges: tuple[int, int], limit: int | None = None) -> bytes:
    out = varint(2 * len(ranges) + (limit is not None))
    if limit is not None:
        out += delta(limit, base)
    before = base
    for index, (first, last) in enumerate(ranges):
        out += delta(first, base) if index == 0 else varint(first - before)
        out += varint(last - first)
        before = last
    return out


def datagram(kind: int, body: bytes, sender: int = 3) -> bytes:
    return struct.pack(">BBBBIIIQQ", 2, kind, 0, 1, 7, sender, 0xABCD, 99, 1 << 40 | 5) + body + _TAG


def ipv4(payload: bytes) -> bytes:
    udp = struct.pack(">HHHH", 4000, 28_202, 8 + len(payload), 0) + payload
    places = socket.inet_aton("127.0.0.1") + socket.inet_aton("239.255.80.0")
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 1, 17, 0) + places + udp


def write_capture(path: Path, packets: list[bytes]) -> Path:
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, _IPV4)
    for packet in packets:
        out += struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet
    path.write_bytes(out)
    return path


def dissect(capture: Path, only: str = "liven") -> list[Fields]:
    """Return all fields of each packet, by name."""
    words = ["tshark", "-r", str(capture), "-X", f"lua_script:{_SCRIPT}", "-Y", only, "-T", "ek"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    assert "Lua" not in done.stderr, done.stderr
    packets = []
    for line in done.stdout.splitlines():
        layers = json.loads(line).get("layers")
        if layers is not None:
            packets.append(_fields(layers["liven"]))
    return packets


def _fields(layer: Any) -> Fields:
    """Return the fields of a packet; those of the datagrams of a train one after the other."""
    found: Fields = {}
    for each in layer if isinstance(layer, list) else [layer]:
        for name, value in each.items():
            found.setdefault(name.removeprefix("liven_"), []).extend(_texts(value))
    return found


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def one(tmp_path: Path, kind: int, body: bytes) -> Fields:
    """Return the fields of one datagram, which must be well formed."""
    capture = write_capture(tmp_path / "one.pcap", [ipv4(datagram(kind, body))])
    assert dissect(capture, "liven.malformed") == []
    (fields,) = dissect(capture)
    return fields


def test_every_field_of_the_header_is_shown(tmp_path: Path) -> None:
    fields = one(tmp_path, 7, struct.pack(">QI", 1 << 40 | 3, 12))
    assert fields["liven_type"] == ["7"]
    assert fields["liven_cluster"] == ["7"]
    assert fields["liven_sender"] == ["3"]
    assert fields["liven_counter"] == ["99"]
    assert int(fields["liven_epoch"][0], 0) == 1 << 40 | 3
    assert fields["liven_meant"] == ["12"]
    assert fields["liven_tag"] == [_TAG.hex(":")]


def test_the_frames_of_a_packet_are_shown(tmp_path: Path) -> None:
    fragment = b"\1" + varint(300) + varint(2) + varint(1000) + varint(5000) + varint(3) + b"abc"
    body = struct.pack(">Q", 4) + b"\0" + varint(1) + varint(9) + varint(2) + b"hi" + fragment
    fields = one(tmp_path, 1, body + b"\4" + b"\3" + varint(2**31) + varint(2**63 + 5))
    assert fields["liven_number"] == ["4"]
    assert fields["liven_frame"] == ["0", "1", "4", "3"]
    assert fields["liven_group"] == ["1", "300", str(2**31)]
    assert fields["liven_message"] == ["9", "2", str(2**63 + 5)]
    assert fields["liven_offset"] == ["1000"]
    assert fields["liven_total"] == ["5000"]
    assert fields["liven_payload"] == ["68:69", "61:62:63"]


def test_an_open_names_the_older_views(tmp_path: Path) -> None:
    listed = varint(2) + struct.pack(">Q", 77) + varint(5) + struct.pack(">Q", 78) + varint(0)
    fields = one(tmp_path, 1, struct.pack(">Q", 1) + b"\2" + varint(6) + varint(len(listed)) + listed)
    assert [int(view, 0) for view in fields["liven_open_view"]] == [77, 78]
    assert fields["liven_open_last"] == ["5", "0"]


def test_a_repair_names_the_original_sender(tmp_path: Path) -> None:
    fields = one(tmp_path, 2, struct.pack(">IQ", 8, 12) + b"\4")
    assert fields["liven_origin"] == ["8"]
    assert fields["liven_number"] == ["12"]


def test_a_token_with_everything_in_it_is_read_to_its_end(tmp_path: Path) -> None:
    purge, cut = 100, 120
    numbers = varint(purge) + delta(cut, purge) + delta(110, cut) + delta(140, cut) + delta(105, cut)
    holes = spans(purge, (103, 103), (106, 109)) + spans(purge) + spans(purge, limit=118) + spans(purge)
    lists = varint(3) + varint(1) + varint(2) + spans(purge, (104, 104)) + varint(0) + varint(0)
    dead = spans(purge, (101, 102)) + spans(purge) + spans(purge)
    flags = varint(8 + 32 + 64 + 128 + 512)
    record = varint(5) + flags + numbers + varint(4) + holes + lists + dead
    head = struct.pack(">QBBHH", 9 << 8, 1, 1, 2, 7)
    plain = varint(6) + varint(0) + numbers + varint(1)
    fields = one(tmp_path, 3, head + record + spans(purge, (111, 111)) + spans(purge, (113, 113)) + plain)
    assert fields["liven_token_records"] == ["2"]
    assert fields["liven_token_asked"] == ["7"]
    assert fields["liven_record"] == ["5", "6"]
    assert fields["liven_record_cut"] == ["120", "120"]
    assert fields["liven_record_hi"] == ["140", "140"]
    assert fields["liven_contig"] == ["105", "105"]
    assert fields["liven_spans"][0] == "103, 106-109"
    assert "nothing said above 118" in fields["liven_spans"]
    assert fields["liven_spans"][-2:] == ["111", "113"]


def test_acknowledgements_requests_and_flow_are_read(tmp_path: Path) -> None:
    fields = one(tmp_path, 4, varint(5) + varint(10) + varint(2) + spans(10, (12, 13)))
    assert (fields["liven_ack_sender"], fields["liven_contig"]) == (["5"], ["10"])
    assert one(tmp_path, 5, varint(2**40))["liven_record_hi"] == [str(2**40)]
    ranges = b"\2" + struct.pack(">I", 4) + varint(50) + spans(50, (50, 51), (60, 60))
    bitmap = b"\x80" + struct.pack(">I", 5) + varint(7) + varint(2) + b"\x05\x01"
    fields = one(tmp_path, 6, ranges + bitmap)
    assert fields["liven_request"] == ["2", "0"]
    assert fields["liven_origin"] == ["4", "5"]
    assert fields["liven_spans"] == ["50-51, 60"]
    assert fields["liven_request_bitmap"] == ["05:01"]
    fields = one(tmp_path, 9, varint(6) + varint(3) + b"\1" + varint(100))
    assert (fields["liven_told"], fields["liven_group"]) == (["6"], ["3"])
    assert (fields["liven_flow_pause"], fields["liven_flow_credit"]) == (["1"], ["100"])
    assert one(tmp_path, 8, struct.pack(">QI", 1, 2))["liven_type"] == ["8"]
    assert int(one(tmp_path, 11, struct.pack(">Q", 9))["liven_token_round"][0], 0) == 9


def test_a_packet_for_several_regions_names_its_number_in_each(tmp_path: Path) -> None:
    entries = struct.pack(">BBQQBQQ", 2, 0, 70, 4, 1, 71, 9)
    fields = one(tmp_path, 10, entries + b"\0" + varint(1) + varint(8) + varint(2) + b"hi")
    assert [int(view, 0) for view in fields["liven_entry_view"]] == [70, 71]
    assert fields["liven_number"] == ["4", "9"]
    assert fields["liven_payload"] == ["68:69"]
    one_region = write_capture(tmp_path / "bad.pcap", [ipv4(datagram(10, b"\1" + entries[1:18]))])
    assert len(dissect(one_region, "liven.malformed")) == 1


@pytest.mark.parametrize(
    "body",
    [
        varint(77) + b"x",  # a byte too many
        b"",  # nothing where a number has to be
        b"\xff" * 12,  # a number without an end
    ],
)
def test_a_malformed_datagram_is_marked(tmp_path: Path, body: bytes) -> None:
    packets = [ipv4(datagram(5, body)), ipv4(datagram(5, varint(1)))]
    capture = write_capture(tmp_path / "bad.pcap", packets)
    assert len(dissect(capture)) == 2
    assert len(dissect(capture, "liven.malformed")) == 1


def test_a_foreign_datagram_is_left_to_other_dissectors(tmp_path: Path) -> None:
    foreign = [
        b"hello, this is something else, and long enough to be one of ours",
        bytes(100),
        b"\1\x0b" * 40,
    ]
    capture = write_capture(tmp_path / "foreign.pcap", [ipv4(each) for each in foreign])
    assert dissect(capture) == []


def test_an_encrypted_datagram_shows_its_header_and_its_trailer(tmp_path: Path) -> None:
    tag, session = bytes(range(32)), b"12345678"
    header = struct.pack(">BBBBIIIQQ", 128 + 2, 1, 0, 1, 7, 3, 0xABCD, 99, 5)
    (fields,) = dissect(write_capture(tmp_path / "one.pcap", [ipv4(header + b"secret" + tag + session)]))
    assert fields["liven_sender"] == ["3"]
    assert fields["liven_version"] == ["2"]
    assert fields["liven_ciphertext"] == [b"secret".hex(":")]
    assert fields["liven_tag"] == [tag.hex(":")]
    assert fields["liven_session"] == [session.hex(":")]
    assert "liven_number" not in fields
    train = b"".join(header + bytes([each]) * 6 + tag + session for each in (1, 2, 3))
    (fields,) = dissect(write_capture(tmp_path / "train.pcap", [ipv4(train)]))
    assert len(fields["liven_ciphertext"]) == 3


def test_a_captured_train_is_split_into_datagrams(tmp_path: Path) -> None:
    train = b"".join(datagram(1, struct.pack(">Q", number) + b"\4") for number in (1, 2, 3))
    capture = write_capture(tmp_path / "train.pcap", [ipv4(train)])
    assert dissect(capture, "liven.malformed") == []
    (fields,) = dissect(capture)
    assert fields["liven_number"] == ["1", "2", "3"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can listen to a whole interface")
@pytest.mark.parametrize("encrypted", [False, True])
def test_every_datagram_of_real_engines_is_dissected(tmp_path: Path, encrypted: bool) -> None:
    place = default_place(tmp_path)
    ensure_keys(tmp_path / "key")
    keys = tmp_path / "key" if encrypted else None
    config = EngineConfig(place, cluster=90, keys=keys, suspicion=60.0)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ANY_ETHERNET)) as ear:
        ear.bind(("lo", 0))
        ear.settimeout(0.0)
        try:
            packets = _converse(config, ear)
        finally:
            stop_service(place)
    capture = write_capture(tmp_path / "live.pcap", packets)
    assert dissect(capture, "liven.malformed") == []
    found = dissect(capture, "liven.cluster == 90")
    assert {int(kind) for fields in found for kind in fields["liven_type"]} >= _USUAL
    assert any("liven_payload" in fields for fields in found) != encrypted
    assert all("liven_ciphertext" in fields for fields in found) == encrypted


def _converse(config: EngineConfig, ear: socket.socket) -> list[bytes]:
    """Let three engines send and lose until each usual type of datagram was seen, and return the captured
    traffic. They pause after the four hundredth message: only silence makes them report their last number."""
    heard: list[bytes] = []
    engines = [Engine(config) for _ in range(3)]
    groups = [engine.join("chat") for engine in engines]
    members = [0, 0, 0]
    number = 0
    said_at = 0.0
    limit = time.monotonic() + 20
    while (number < 400 or not _kinds(heard) >= _USUAL) and time.monotonic() < limit:
        for index, (engine, group) in enumerate(zip(engines, groups, strict=True)):
            engine.wait(0.001)
            group.receive()
            for event in group.events():
                members[index] = len(event.members) if isinstance(event, View) else members[index]
        if members == [3, 3, 3] and (number < 400 or time.monotonic() > said_at + _PAUSE):
            if number == 0:
                engines[1].lose(0.2)
            groups[number % 3].send(b"%d" % number * 20)
            number, said_at = number + 1, time.monotonic()
        heard += _overheard(ear)
    for engine in engines:
        engine.close()
    return heard + _overheard(ear)


def _kinds(packets: list[bytes]) -> set[int]:
    return {packet[29] for packet in packets if packet[32:36] == struct.pack(">I", 90)}


def _overheard(ear: socket.socket) -> list[bytes]:
    found: list[bytes] = []
    while True:
        try:
            packet = ear.recv(1 << 18)[14:]
        except BlockingIOError:
            return found
        if len(packet) > 28 and packet[9] == socket.IPPROTO_UDP and packet[28] & 127 == 2:
            found.append(packet)

"""A snapshot of logs that are being written is what a crash at one moment would have left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.channel.store import snapshot
from liven.liveobjects.channel.store.records import Record, RecordKind, key_of
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.snapshot import SnapshotError, take_logs

NAME = "home/f/notes"
KEY = key_of(NAME)


def naming(name: str) -> Record:
    return Record(key_of(name), RecordKind.NAME, 1, 0, name.encode())


def entry(serial: int, size: int = 10) -> Record:
    return Record(KEY, RecordKind.ENTRY, serial, serial - 1, b"%0*d" % (size, serial))


def checkpoint(serial: int, pointer: bytes) -> Record:
    return Record(KEY, RecordKind.CHECKPOINT, serial, serial - 1, pointer, aside=True)


def found(folder: Path) -> list[int]:
    """Return the serials of the entries in a log, and check that none is missing between them."""
    log = SharedLog(folder, reading=True)
    index = log.channels[KEY]
    assert not index.broken
    assert log.damaged_parts == []
    serials = [serial for serial, _ in index.entries()]
    assert serials == list(range(serials[0], serials[0] + len(serials)))
    log.close()
    return serials


def test_a_log_is_taken_with_its_large_payloads(tmp_path: Path) -> None:
    log = SharedLog(tmp_path / "root" / "0")
    pointer = log.aside.put(KEY, 2, (b"large" * 1000,), sync=False)
    log.write([naming(NAME), checkpoint(2, pointer)])
    log.write([Record(KEY, RecordKind.ENTRY, 3, 1, b"after")])
    take_logs(tmp_path / "root", tmp_path / "taken")
    log.write([Record(KEY, RecordKind.ENTRY, 4, 3, b"later")])
    log.aside.remove(KEY, 2)
    assert found(tmp_path / "taken" / "0") == [3]
    taken = SharedLog(tmp_path / "taken" / "0", reading=True)
    assert taken.aside.get(KEY, 2, pointer) == b"large" * 1000


@pytest.mark.slow
def test_every_snapshot_under_load_is_a_whole_prefix(tmp_path: Path) -> None:
    log, over, written = SharedLog(tmp_path / "root" / "0", 2000), threading.Event(), [1]
    log.write([naming(NAME), entry(2)])

    def write() -> None:
        """Append entries, cover them with checkpoints, and compact, as a store does."""
        serial = 2
        while not over.is_set():
            for _ in range(20):
                serial += 1
                log.write([entry(serial, 200)])
            serial += 1
            pointer = log.aside.put(KEY, serial, (b"%d" % serial * 100,), sync=False)
            log.write([Record(KEY, RecordKind.CHECKPOINT, serial, serial - 3, pointer, aside=True)])
            log.write([Record(KEY, RecordKind.ENTRY, serial + 1, serial - 1, b"after")])
            serial += 1
            while log.compact():
                pass
            log.remove_dead(list(log.dead_segments), log.orphans)
            log.orphans.clear()
            written[0] = serial
            time.sleep(0.002)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(60):
            before = written[0]
            take_logs(tmp_path / "root", tmp_path / f"taken{number}")
            taken = SharedLog(tmp_path / f"taken{number}" / "0", reading=True)
            index = taken.channels[KEY]
            assert not index.broken
            assert index.tip >= before, "everything written before is in it"
            assert taken.has_payloads
            taken.close()
    finally:
        over.set()
        thread.join()
        log.close()


def after_calls(count: int, act: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Call `act` when so many logs were taken."""
    take, calls = snapshot._take, [0]

    def taking(folder: Path, target: Path) -> list[bytes]:
        keys = take(folder, target)
        calls[0] += 1
        if calls[0] == count:
            act()
        return keys

    monkeypatch.setattr(snapshot, "_take", taking)


@pytest.mark.parametrize("moment", [1, 2, 3])
def test_a_channel_that_moves_to_another_log_meanwhile_is_in_the_snapshot(
    tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (SharedLog(tmp_path / "root" / name) for name in "01")
    two.write([naming(NAME), entry(2)])

    def adopt() -> None:
        one.write([naming(NAME), entry(2)])
        two.write([Record(KEY, RecordKind.FORGET, 3, 0, b"")])

    after_calls(moment, adopt, monkeypatch)
    take_logs(tmp_path / "root", tmp_path / "taken")
    logs = [SharedLog(tmp_path / "taken" / name, reading=True) for name in "01"]
    assert any(KEY in log.channels and log.channels[KEY].name is not None for log in logs)


def test_logs_that_never_rest_are_given_up_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SharedLog(tmp_path / "root" / "0").close()
    monkeypatch.setattr(snapshot, "_copy", lambda *_: False)
    monkeypatch.setattr(snapshot, "_PAUSE", 0.0)
    with pytest.raises(SnapshotError, match="changes too fast"):
        take_logs(tmp_path / "root", tmp_path / "taken")

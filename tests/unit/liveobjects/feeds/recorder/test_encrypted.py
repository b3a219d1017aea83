"""An encrypted channel is recorded as it is: sealed with its own key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.recorder.stage import NAME, NUMBER, Recorder, events
from tests.unit.liveobjects.feeds.replay.recordings import Desk, counters

from liven.liveobjects.channel.adapters import sealed_values, shared_key_encryption
from liven.liveobjects.channel.adapters.sealed_values import Sealed
from liven.liveobjects.channel.adapters.shared_key_encryption import EncryptReplicated
from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.encryption import SealedPayloadDecoder, keys_in, without_keys
from liven.liveobjects.feeds.payload_decoder import UndecodableError
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference
from liven.types.catalogue import register
from liven.types.declare import TermBuilder, scan

KEY, OTHER = "ab" * 32, "cd" * 32


def below() -> Reference:
    """Return the channel on which sealed values travel."""
    on = channel_reference(NAME)
    sealed = [
        Parameter(f"{one}Class", OtherClass("ValueClass", "liven:sealed"))
        for one in ("Message", "Checkpoint")
    ]
    return Reference(on.id, (*on.parameters, *sealed))


def recipe(key: str = KEY) -> Any:
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", "int64")),
        Parameter("CheckpointClass", OtherClass("ValueClass", "int64")),
    )
    given = (Parameter("key", Plain("string", key)), Parameter("below", below()))
    lock = Reference("liven:encrypt-replicated", (*classes, *given))
    return shared("liven:shared-counter", "Takings", lock)


def learned(process: Process) -> Process:
    for module in (sealed_values, shared_key_encryption):
        register(process.known.catalogue, scan(module), process.known.matcher)
    return process


def counter(process: Process) -> Object:
    sealed = TermBuilder(process.known.formalisms).of(Sealed)
    made = process.build(CounterObject)
    lock = process.build(EncryptReplicated, NUMBER, NUMBER, key=KEY)
    channel = process.build(SharedChannel, sealed, sealed, name=NAME)
    process.connect(made, "channel", lock, "Channel")
    process.connect(lock, "below", channel, "Channel")
    return made


def test_the_records_are_sealed_and_the_key_is_nowhere(tmp_path: Path) -> None:
    feed = tmp_path / "feed"
    with Processes(tmp_path / "homes") as processes:
        ann = learned(processes.process("ann"))
        one = counter(ann)
        processes.advance(3)
        recorder = Recorder(ann, feed, recipe())
        assert not recorder.said
        for amount in (1_000_003, 1_000_033):
            one.instance.add(amount)
        processes.advance(3)
        records = recorder.close(processes)
    described = read_description(feed)
    assert described.encrypted == (NAME,)
    assert len(events(records)) == 2
    for path in filter(Path.is_file, feed.rglob("*")):
        data = path.read_bytes()
        assert KEY.encode() not in data and bytes.fromhex(KEY) not in data, path
        assert b"\xd2\x00\x0f\x42\x43" not in data and (1_000_003).to_bytes(4, "little") not in data
    right = SealedPayloadDecoder(described.types, list(keys_in(recipe())))
    wrong = SealedPayloadDecoder(described.types, list(keys_in(recipe(OTHER))))
    read = [right.decode(one.type, one.payload) for one in records if not one.flags]
    assert read == [1_000_003, 1_000_033]
    [state] = [one for one in records if one.flags & CHECKPOINT][:1]
    assert right.decode(state.type, state.payload) in (None, 0)
    for record in records:
        if not record.flags:
            with pytest.raises(UndecodableError, match="another key"):
                wrong.decode(record.type, record.payload)


def test_whoever_has_the_key_sees_each_moment(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes") as processes:
        ann = learned(processes.process("ann"))
        one = counter(ann)
        processes.advance(3)
        recorder = Recorder(ann, tmp_path / "feed", recipe())
        for amount in (5, 30, 7):
            one.instance.add(amount)
            processes.advance(1)
        recorder.close(processes)
        folder = recorder.recording.status.folder
    known = counters()
    for module in (sealed_values, shared_key_encryption):
        register(known.catalogue, scan(module), known.matcher)
    made = Desk(SegmentLog(Log(folder)), recipe(), known)
    assert not made.problems
    for where, number in ((4, 42), (2, 5), (3, 35), (0, 0), (4, 42)):
        made.transport.seek_sequence(where)
        made.crank.settle()
        assert made.object.number == number
    assert not made.problems
    made.close()
    closed = Desk(SegmentLog(Log(folder)), recipe(OTHER), known)
    closed.transport.seek_sequence(4)
    closed.crank.settle()
    assert "it was sealed with another key" in str(closed.problems)
    closed.close()


def test_the_description_has_the_recipe_without_its_key() -> None:
    bare = without_keys(recipe())
    assert not list(keys_in(bare))
    assert len(list(keys_in(recipe()))) == 1
    assert without_keys(bare) == bare
    keyed_elsewhere = Reference("x", (Parameter("key", Plain("string", "a map")),))
    assert without_keys(keyed_elsewhere) == keyed_elsewhere

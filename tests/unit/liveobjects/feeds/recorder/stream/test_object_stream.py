"""The values that an object gives while it runs here are recorded; each run is an author."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
from tests.unit.liveobjects.feeds.recorder.stage import Recorder

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.feeds.description import AUTHOR, read_description
from liven.liveobjects.feeds.record import VALUE
from liven.liveobjects.feeds.recorder.stream.object_stream import (
    ObjectStream,
    replayed_recipe,
    stream_name,
)
from liven.liveobjects.feeds.value_face import face_of
from liven.liveobjects.text import object as text
from liven.runtime.reference.model import NAME, Attribute, Reference
from liven.runtime.reference.xml import read_object
from liven.types.declare import Dual, Int64, proxy

LAMP = Reference("test:sensor", attributes=(Attribute(NAME, "hall/lamp"),))


@proxy(id="9C1B5E0A7D3F4C62A8E40B1D2F6A7C35", alias="test:sensor")
class Sensor:
    """Gives the numbers that a test has."""

    Endpoint: Dual[Value[Int64], ValueClient[Int64]]

    def get(self) -> Int64:
        return 0

    def set(self, value: Int64) -> None:
        """Ignore the value: this object only gives some."""


def run_once(process: Process, made: Recorder, numbers: list[int]) -> None:
    """Run the object once, and let it give some values."""
    handle = process.build(Sensor).handle
    face = face_of(handle.endpoints)
    assert face is not None
    name, channel = stream_name(LAMP)
    archive = made.recording.add_stream(name, channel, face.value, replayed_recipe(LAMP, "liven:int64"))
    stream = ObjectStream(face, archive, lambda *_: None)
    sensor: Any = handle.proxy().instance
    for number in numbers:
        sensor.Endpoint.peer.set(number)
    stream.close()
    handle.close()


def test_each_run_is_an_author_that_numbers_its_values(tmp_path: Path) -> None:
    with Processes() as processes:
        ann = processes.process("ann")
        for numbers in ([1, 2, 3], [1]):
            made = Recorder(ann, tmp_path / "feed", LAMP)
            run_once(ann, made, numbers)
            processes.settle()
            records = made.close(processes)
        assert [msgpack.unpackb(one.payload) for one in records] == [1, 2, 3, 1]
        assert {one.flags for one in records} == {VALUE}
        authors = list(dict.fromkeys(one.author for one in records))
        assert len(authors) == 2
        for author in authors:
            serials = [one.serial for one in records if one.author == author]
            assert serials == list(range(1, len(serials) + 1))
        described = read_description(tmp_path / "feed")
        assert described.numbering == {"local/streams/hall-lamp": AUTHOR}
        recipe = read_object(described.recipe)
        assert isinstance(recipe, Reference)
        assert recipe.id == "liven:shared-value"


def test_an_object_without_a_stream_has_no_face() -> None:
    with Processes() as processes:
        ann = processes.process("ann")
        assert face_of(ann.build(text.TextObject).handle.endpoints) is None

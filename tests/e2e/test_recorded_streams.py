"""Recorders of channels without an order, in processes of their own: each event has one key in all logs, also
if a recorder is killed or an author starts again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.feeds.description import AUTHOR, read_description
from liven.liveobjects.feeds.record import GAP, Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.reference.model import OtherClass, Parameter, Reference
from liven.runtime.reference.xml import write

pytestmark = pytest.mark.slow
CHANNEL = "home/e2e/stream"
PATIENCE = 90.0
PARTS = {"group": ("test:talker", "channel"), "value": ("test:dial", "value")}


class Stage:
    """The processes of a test, in one home."""

    def __init__(self, home: Path, kind: str) -> None:
        self.home, self.kind = home, kind
        self.feed = home / "state" / "feeds" / "stream"
        self.running: list[subprocess.Popen[bytes]] = []
        owner, endpoint = PARTS[kind]
        channel = channel_reference(CHANNEL, kind)
        name = "ValueClass" if kind == "value" else "MessageClass"
        typed = (Parameter(name, OtherClass("ValueClass", "liven:int64")), *channel.parameters)
        on = Parameter(endpoint, Reference(channel.id, typed))
        self.recipe = home / "source.liveobject"
        self.recipe.write_bytes(write(Reference(owner, (on,))))

    def talk(self) -> subprocess.Popen[bytes]:
        module = str(Path(__file__).with_name("stream_talker.py"))
        return self._start("run", str(self.recipe), "--module", module)

    def record(self, name: str, *more: str, feed: str = "stream") -> subprocess.Popen[bytes]:
        words = ("feeds", "record", CHANNEL, "--kind", self.kind, "--feed", feed, "--recorder", name)
        return self._start(*words, "--json", *(more or ("--wait",)))

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        made = subprocess.Popen(
            [sys.executable, "-m", "liven.app.main", *words],
            env={**os.environ, "LIVEN_HOME": str(self.home), "LIVEN_SERVICE_IDLE": "2"},
            stdout=subprocess.DEVNULL,
        )
        self.running.append(made)
        return made

    def records(self, name: str) -> list[Record]:
        folder = self.feed / name
        return [one for _, one in Log(folder).records()] if folder.is_dir() else []

    def end(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0

    def close(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture(params=sorted(PARTS))
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    made = Stage(tmp_path, request.param)
    try:
        yield made
    finally:
        made.close()


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.1)  # waits for other processes


def keys(records: list[Record]) -> dict[tuple[str, int], bytes]:
    """Return the values by key; each key is there once."""
    values = [one for one in records if not one.flags & GAP]
    found = {(one.author, one.serial): one.payload for one in values}
    assert len(found) == len(values)
    return found


def numbers(records: list[Record], author: str) -> list[int]:
    return [msgpack.unpackb(one.payload) for one in records if one.author == author and not one.flags & GAP]


def test_two_recorders_agree_across_a_kill_and_a_restarted_author(stage: Stage) -> None:
    source = stage.talk()
    witness = stage.record("witness")
    killed = stage.record("killed")
    until(lambda: min(len(stage.records(name)) for name in ("witness", "killed")) > 50)
    killed.kill()
    killed.wait()
    durable = stage.records("killed")
    again = stage.record("killed")
    until(lambda: len(stage.records("killed")) > len(durable) + 50)
    stage.end(source)
    before = len(stage.records("witness"))
    restarted = stage.talk()
    until(lambda: len(stage.records("witness")) > before + 100)
    for process in (restarted, again, witness):
        stage.end(process)
    whole, parts = stage.records("witness"), stage.records("killed")
    assert parts[: len(durable)] == durable
    first, second = keys(whole), keys(parts)
    assert all(first[key] == second[key] for key in first.keys() & second.keys())
    authors = list(dict.fromkeys(one.author for one in whole))
    assert len(authors) == 2
    for author in authors:
        heard = numbers(whole, author)
        assert heard == list(range(heard[0], heard[0] + len(heard)))  # the witness missed nothing
    heard = numbers(parts, authors[0])
    assert heard == sorted(set(heard))
    assert len(heard) < heard[-1] + 1 - heard[0]  # it was away for a while
    assert stage.kind == "value" or any(one.flags & GAP for one in parts)
    assert read_description(stage.feed).numbering == {CHANNEL: AUTHOR}


def test_a_channel_that_no_log_has_is_recorded_because_somebody_has_it_open(stage: Stage) -> None:
    source = stage.talk()
    witness = stage.record("witness")
    until(lambda: len(stage.records("witness")) > 5)
    stage.end(witness)
    assert stage.record("late", "--for", "5s", feed="second").wait(PATIENCE) == 0
    assert Log(stage.feed.with_name("second") / "late").end > 0
    stage.end(source)
    assert stage.record("later", "--for", "5s", feed="third").wait(PATIENCE) == 1
    assert not stage.feed.with_name("third").exists()

"""A recording of an object that two nodes use, played at ten times its speed: the state is the same."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.unit.liveobjects.feeds.recorder.stage import Recorder
from tests.unit.liveobjects.feeds.replay.recordings import (
    Desk,
    counter_recipe,
    known_types,
    record,
    typed_channel,
    written,
)

from liven.liveobjects.channel.api.recipes import shared
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.chat import object as chat
from liven.liveobjects.counter import object as counter
from liven.liveobjects.feeds.description import (
    FeedDescription,
    TypeEntry,
    read_description,
    write_description,
)
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.shared_list import object as shared_list
from liven.liveobjects.vote import object as vote
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import read_object, write
from liven.types.catalogue import register
from liven.types.declare import scan

pytestmark = pytest.mark.slow
CHAT = "home/feeds/talk"
MODULES = (chat, counter, shared_list, vote)


def chat_recipe() -> Object:
    channel = typed_channel(CHAT, "liven:chat-operation", "liven:chat-state")
    return shared("liven:chat-room", "Talk", channel)


def test_a_minute_on_two_nodes_is_replayed_to_the_same_state(tmp_path: Path) -> None:
    random = Random(11)
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        for module in MODULES:
            register(processes.known.catalogue, scan(module), processes.known.matcher)
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        recorder = Recorder(eve, tmp_path / "feed", chat_recipe(), state_every=150)
        talks = [who.load(chat_recipe()) for who in (ann, bob)]
        processes.advance(3.0)
        for number in range(600):  # a minute
            random.choice(talks).instance.say(f"line {number}")
            if random.random() < 0.1:
                random.choice(talks).instance.editor.undo()
            processes.advance(0.1)
        processes.advance(3.0)
        recorder.close(processes)
        editors = [talk.instance.editor for talk in talks]
        live = {editor.model.digest(editor.confirmed) for editor in editors}
    (folder,) = [place for place in (tmp_path / "feed").iterdir() if place.is_dir()]
    recipe = read_object(read_description(tmp_path / "feed").recipe)
    known = known_types(*MODULES)
    made = Desk(SegmentLog(Log(folder)), recipe, known, Options(speed=10.0))
    made.transport.play()
    made.crank.advance(30.0)
    digests = made.sandbox.hub.digests()
    assert set(digests) == {CHAT}
    assert {digests[CHAT]} == live
    played = made.sandbox.digest()
    for where in (0.2, 0.9, 0.5, 1.0):
        made.transport.seek_part(where)
        made.crank.settle()
    assert made.sandbox.digest() == played
    assert not made.problems
    made.close()


ADDER = '''
from __future__ import annotations

from liven.liveobjects.counter.object import Counter, CounterClient
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Int64, proxy


@proxy(id="0A0B0C0D0E0F40008000000000000077", alias="test:adder")
class Adder:
    """Adds a number some times a second, for a while."""

    counter: Dual[CounterClient, Counter]

    def __init__(self, context: Context, amount: Int64) -> None:
        self.context, self.amount, self.left = context, amount, 40
        context.call_later(1.0, self.add)

    def add(self) -> None:
        self.counter.peer.add(self.amount)
        self.left -= 1
        if self.left:
            self.context.call_later(0.05, self.add)

    def counted(self, value: Int64) -> None: ...
'''
NAME = "home/011E83FA6A9F426993BB8EF26FF7D7B8/e2e count"


def composite(amount: int) -> bytes:
    """Return the recipe of a counter with somebody who adds to it."""
    adder = Reference("test:adder", (Parameter("amount", Plain("long", str(amount))),))
    return write(
        Composite(
            components=(Component("count", counter_recipe(NAME)), Component("adder", adder)),
            connections=(Connection("adder.counter", "count.counter"),),
            exports=(Export("UI", "count.UI"),),
        )
    )


class Home:
    """The programs of one user, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "LIVEN_HOME": str(folder)}

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "liven.app.main", *words],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> str:
        process = self.start(*words)
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, (words, output, errors)
        return output


def test_programs_record_and_replay_a_counter(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    module = tmp_path / "adder.py"
    module.write_text(ADDER)
    files = []
    for amount in (1, 100):
        files.append(tmp_path / f"add{amount}.liveobject")
        files[-1].write_bytes(composite(amount))
    plain = tmp_path / "count.liveobject"
    plain.write_bytes(write(counter_recipe(NAME)))
    recording = home.start("feeds", "record", str(plain), "--feed", "count", "--json")
    assert recording.stdout is not None
    recording.stdout.readline()
    adding = [home.start("run", str(file), "--module", str(module), "--for", "9", "--json") for file in files]
    outputs = [one.communicate(timeout=120) for one in adding]
    assert [one.returncode for one in adding] == [0, 0], outputs
    shown = home.run("run", str(plain), "--log", "counter", "--for", "4", "--json")
    counted = [json.loads(line) for line in shown.splitlines() if '"counted"' in line]
    number = counted[-1]["values"][0]["value"]
    assert number > 100
    recording.send_signal(signal.SIGINT)
    recorded = recording.communicate(timeout=90)
    assert recording.returncode == 0, recorded
    played = home.run("feeds", "replay", "count", "--speed", "10", "--digest", "--json")
    rows = [json.loads(line) for line in played.splitlines()]
    (digest,) = [row["digest"] for row in rows if row["event"] == "digest"]
    assert digest == digest_of({NAME: str(number).encode()})
    printed = home.run("feeds", "replay", "count", "--max", "--digest", "--no-keys")
    assert re.findall(r"UTC: ([0-9a-f]{64})", printed) == [digest]


def test_a_recording_is_played_into_a_live_counter(tmp_path: Path) -> None:
    """Everybody who has it open takes the events, and only after a yes."""
    home = Home(tmp_path / "home")
    place = tmp_path / "monday"
    written(place / "here", [record(n / 50, 10) for n in range(50)])
    types = {"int64": TypeEntry("int64")}
    write_description(place, FeedDescription("Monday", write(counter_recipe()).decode(), types))
    plain = tmp_path / "count.liveobject"
    plain.write_bytes(write(counter_recipe(NAME)))
    words = ("feeds", "replay", str(place), "--into", f"live:{NAME}", "--json")
    refused = home.start(*words)
    assert "add --yes" in refused.communicate(timeout=60)[1]
    assert refused.returncode == 1
    running = home.start("run", str(plain), "--log", "counter", "--json")
    assert running.stdout is not None
    lines: list[str] = []
    while '"counted"' not in (lines or [""])[-1]:
        lines.append(running.stdout.readline())
    home.run(*words, "--yes")
    counted = 0
    while counted < 500:
        line = running.stdout.readline()
        assert line, "the counter ended before it got everything"
        if '"counted"' in line:
            counted = json.loads(line)["values"][0]["value"]
    assert counted == 500
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)


def digest_of(states: dict[str, bytes]) -> str:
    """Return the digest of a sandbox with these states."""
    whole = hashlib.sha256()
    for name, state in sorted(states.items()):
        for part in (name.encode(), state):
            whole.update(len(part).to_bytes(4, "big") + part)
    return whole.hexdigest()


def test_a_mistyped_channel_is_refused_and_a_known_one_is_recorded(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    plain = tmp_path / "count.liveobject"
    plain.write_bytes(write(counter_recipe(NAME)))
    running = home.start("run", str(plain), "--log", "counter", "--json")
    assert running.stdout is not None
    try:
        line = ""
        while '"counted"' not in line:
            line = running.stdout.readline()
            assert line, "the counter ended"
        mistyped = home.start("feeds", "record", f"{NAME}x", "--feed", "count", "--for", "1s")
        refused = mistyped.communicate(timeout=120)[1]
        assert mistyped.returncode == 1
        assert f"nobody has a channel '{NAME.rpartition('/')[2]}x' open; did you mean" in refused
        assert not (tmp_path / "home" / "state" / "feeds").exists()
        home.run("feeds", "record", NAME, "--feed", "count", "--for", "4s")
        assert "1 record" in home.run("feeds", "ls")
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=90)


def test_the_time_of_a_recording_begins_with_its_first_event(tmp_path: Path) -> None:
    """With --wait, the time in which nobody has the channel is not part of --for."""
    home = Home(tmp_path / "home")
    module, adding = tmp_path / "adder.py", tmp_path / "add.liveobject"
    module.write_text(ADDER)
    adding.write_bytes(composite(1))
    words = ("feeds", "record", NAME, "--feed", "count", "--wait", "--for", "2s", "--json")
    recording = home.start(*words)
    assert recording.stdout is not None
    shown = (json.loads(line) for line in iter(recording.stdout.readline, ""))
    waited = list(islice((row["records"] for row in shown if "records" in row), 5))  # one a second
    assert len(waited) == 5
    assert max(waited) <= 1  # the state of a channel that has none
    running = home.start("run", str(adding), "--module", str(module), "--json")
    try:
        rest = [row for row in shown if "records" in row]
        recording.communicate(timeout=120)
        assert recording.returncode == 0
        assert rest[-1]["doing"] == "recorded"
        assert rest[-1]["records"] > 1
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=90)

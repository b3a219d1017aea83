"""Sources from real brokers, which the tests start, kill and start again.

The brokers are Debian's: `apt-get install mosquitto nats-server`. A test is skipped where its broker is
missing.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from liven.liveobjects.feeds.source.broker.mqtt_topic import MqttTopic
from liven.liveobjects.feeds.source.broker.nats_subject import NatsSubject
from liven.runtime.testing import Bench
from liven.types.terms.value_types import INT64, record

mqtt = pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
nats = pytest.importorskip("nats", reason="the extra nats is not installed")

ROW = record(n=INT64)
_PATH = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


class Broker(Protocol):
    """A broker that a test controls."""

    url: str

    def start(self) -> None: ...
    def kill(self) -> None: ...
    def publish(self, *values: object) -> None: ...


class _Process:
    """The process of a broker."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def start(self) -> None:
        command = [word.replace("PORT", str(self.port)) for word in self._command]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert self._process.poll() is None, "the broker ended by itself"
                time.sleep(0.01)
        raise TimeoutError("the broker did not begin")

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


class Mosquitto(_Process):
    """An MQTT broker."""

    def __init__(self, program: str, folder: Path, more: str = "") -> None:
        self._settings = folder / "mosquitto.conf"
        super().__init__([program, "-c", str(self._settings)])
        text = f"listener {self.port} 127.0.0.1\nmax_inflight_messages 0\nmax_queued_messages 0\n"
        text += f"{more or 'allow_anonymous true'}\n"
        if os.geteuid() == 0:  # it would become another user, who reads no folder of ours
            text += "user root\n"
        self._settings.write_text(text)
        self.url = f"mqtt://127.0.0.1:{self.port}"

    def publish(self, *values: object, topic: str = "plant/heat", retain: bool = False) -> None:
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        for value in values:
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            client.publish(topic, data, qos=1, retain=retain).wait_for_publish(10)
        client.disconnect()
        client.loop_stop()


class NatsServer(_Process):
    """A NATS server."""

    def __init__(self, program: str, more: tuple[str, ...] = ()) -> None:
        super().__init__([program, "-a", "127.0.0.1", "-p", "PORT", *more])
        self.url = f"nats://127.0.0.1:{self.port}"

    def publish(self, *values: object) -> None:
        async def send() -> None:
            client = await nats.connect(self.url)
            for value in values:
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                await client.publish("plant.heat", data)
            await client.flush()
            await client.close()

        asyncio.run(send())


def program(name: str) -> str:
    found = shutil.which(name, path=_PATH)
    if found is None:
        pytest.skip(f"{name} is not installed; apt-get install {name}")
    return found


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    made = Mosquitto(program("mosquitto"), tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def nats_server() -> Iterator[NatsServer]:
    made = NatsServer(program("nats-server"))
    made.start()
    yield made
    made.kill()


@pytest.fixture(params=["mosquitto", "nats_server"])
def broker(request: pytest.FixtureRequest) -> Broker:
    found: Broker = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as made:
        yield made


def source(bench: Bench, broker: Broker, **values: Any) -> Any:
    if isinstance(broker, Mosquitto):
        return bench.build(MqttTopic, ROW, **{"url": broker.url, "topic": "plant/+", **values})
    return bench.build(NatsSubject, ROW, **{"url": broker.url, "subject": "plant.*", **values})


def until(bench: Bench, done: Callable[[], bool], publish: Callable[[], object] | None = None) -> None:
    """Let time pass while the broker works; `publish` is done again and again, as NATS keeps nothing."""
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "it never happened"
        if publish is not None:
            publish()
        bench.advance(0.1)
        time.sleep(0.01)


def numbers(probe: Any) -> list[int]:
    return [event[1]["n"] for event in probe.heard if event[0] == "set"]


def connected(bench: Bench, broker: Broker, probe: Any) -> None:
    """Publish until something arrives: then the subscription holds."""
    before = len(numbers(probe))
    until(bench, lambda: len(numbers(probe)) > before, lambda: broker.publish({"n": -1}))
    bench.advance(1)


def positive(probe: Any) -> list[int]:
    return [number for number in numbers(probe) if number >= 0]


@pytest.mark.slow
def test_messages_come_as_rows_in_order_and_bad_ones_are_told(bench: Bench, broker: Broker) -> None:
    probe = source(bench, broker).probe("Endpoint")
    connected(bench, broker, probe)
    broker.publish(
        *({"n": number} for number in range(100)), b"nonsense", [{"n": 100}, {"n": "x"}, {"n": 101}]
    )
    until(bench, lambda: len(positive(probe)) == 102)
    assert positive(probe) == list(range(102))
    assert "a message of plant" in bench.problems[0].what
    assert "it is not JSON" in bench.problems[0].what
    bench.problems.clear()


@pytest.mark.slow
def test_a_killed_broker_is_told_once_and_found_again(bench: Bench, broker: Broker) -> None:
    probe = source(bench, broker).probe("Endpoint")
    connected(bench, broker, probe)
    for _ in range(2):
        broker.kill()
        until(bench, lambda: bool(bench.problems))
        bench.advance(1)
        [problem] = bench.problems
        assert problem.what.startswith(f"{broker.url}: ")
        assert problem.advice == "it is tried again"
        broker.start()
        count = len(numbers(probe))
        until(bench, lambda: len(numbers(probe)) > count, lambda: broker.publish({"n": 7}))  # noqa: B023
        bench.problems.clear()


@pytest.mark.slow
def test_a_broker_that_is_not_there_yet_is_waited_for(bench: Bench, broker: Broker) -> None:
    broker.kill()
    probe = source(bench, broker).probe("Endpoint")
    until(bench, lambda: bool(bench.problems))
    assert "it cannot be reached" in bench.problems.pop().what
    broker.start()
    connected(bench, broker, probe)
    bench.problems.clear()


@pytest.mark.slow
def test_nothing_comes_while_nobody_is_connected(bench: Bench, broker: Broker) -> None:
    built = source(bench, broker)
    probe = built.probe("Endpoint")
    connected(bench, broker, probe)
    probe.close()
    bench.advance(1)
    count = len(numbers(probe))
    broker.publish({"n": 5})
    bench.advance(5)
    assert len(numbers(probe)) == count
    again = built.probe("Endpoint")
    connected(bench, broker, again)
    if isinstance(broker, Mosquitto):
        assert 5 in numbers(again), "the broker has kept it"


@pytest.mark.slow
def test_with_quality_one_what_is_sent_during_a_cut_comes_once(bench: Bench, mosquitto: Mosquitto) -> None:
    built = source(bench, mosquitto)
    probe = built.probe("Endpoint")
    connected(bench, mosquitto, probe)
    probe.close()
    bench.advance(1)
    mosquitto.publish(*({"n": number} for number in range(2000)))
    again = built.probe("Endpoint")
    until(bench, lambda: len(positive(again)) >= 2000)
    bench.advance(5)
    assert positive(again) == list(range(2000))


@pytest.mark.slow
def test_a_retained_message_comes_at_the_begin(bench: Bench, mosquitto: Mosquitto) -> None:
    mosquitto.publish({"n": 3}, retain=True)
    probe = source(bench, mosquitto).probe("Endpoint")
    until(bench, lambda: numbers(probe) == [3])


@pytest.mark.slow
def test_a_refused_login_is_told_and_the_right_one_connects(tmp_path: Path) -> None:
    users = tmp_path / "users"
    subprocess.run([program("mosquitto_passwd"), "-b", "-c", str(users), "ann", "secret"], check=True)
    users.chmod(0o644)
    broker = Mosquitto(program("mosquitto"), tmp_path, f"allow_anonymous false\npassword_file {users}")
    broker.start()
    login = tmp_path / "login"
    login.write_text("ann\nwrong\n")
    try:
        with Bench() as bench:
            probe = source(bench, broker, login=str(login)).probe("Endpoint")
            until(bench, lambda: bool(bench.problems))
            assert "the broker refuses the connection: Not authorized" in bench.problems.pop().what
            login.write_text("ann\nsecret\n")
            client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
            client.username_pw_set("ann", "secret")
            client.connect("127.0.0.1", broker.port)
            client.loop_start()
            until(bench, lambda: bool(numbers(probe)), lambda: client.publish("plant/heat", b'{"n": 1}'))
            client.disconnect()
            client.loop_stop()
    finally:
        broker.kill()


@pytest.mark.slow
def test_a_nats_server_with_a_password_is_reached_by_the_login(tmp_path: Path) -> None:
    broker = NatsServer(program("nats-server"), ("--user", "ann", "--pass", "secret"))
    broker.start()
    login = tmp_path / "login"
    login.write_text("ann\nwrong\n")
    try:
        with Bench() as bench:
            source_probe = source(bench, broker, login=str(login)).probe("Endpoint")
            until(bench, lambda: bool(bench.problems))
            assert "Authorization Violation" in bench.problems.pop().what
            login.write_text("ann\nsecret\n")
            broker.url = broker.url.replace("nats://", "nats://ann:secret@")
            connected(bench, broker, source_probe)
            bench.problems.clear()
    finally:
        broker.kill()


@pytest.mark.slow
def test_a_queue_shares_the_messages(bench: Bench, nats_server: NatsServer) -> None:
    probes = [source(bench, nats_server, queue="workers").probe("Endpoint") for _ in range(2)]
    until(bench, lambda: all(numbers(one) for one in probes), lambda: nats_server.publish({"n": -1}))
    nats_server.publish(*({"n": number} for number in range(200)))
    until(bench, lambda: sum(len(positive(one)) for one in probes) >= 200)
    assert sorted(number for one in probes for number in positive(one)) == list(range(200))

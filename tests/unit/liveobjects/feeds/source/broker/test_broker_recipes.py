"""The recipes of brokers, their inbox and their login, without a broker."""

from __future__ import annotations

import os
import select
import threading
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.source.broker import broker_stream
from liven.liveobjects.feeds.source.broker.inbox import Arrival, Inbox
from liven.liveobjects.feeds.source.broker.login import Login, LoginError, read_login
from liven.liveobjects.feeds.source.broker.mqtt_topic import MqttTopic
from liven.liveobjects.feeds.source.broker.nats_subject import NatsSubject
from liven.liveobjects.feeds.source.formats.decoded import Decoded
from liven.runtime.capability import CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench
from liven.types.terms.value_types import INT64, record

ROW = record(n=INT64)


@pytest.mark.parametrize(
    ("cls", "values", "told"),
    [
        (MqttTopic, {"url": "http://a/", "topic": "a"}, "does not begin with mqtts:// or mqtt://"),
        (MqttTopic, {"url": "mqtt://a", "topic": ""}, "is no topic"),
        (MqttTopic, {"url": "mqtt://a", "topic": "a/#/b"}, "is no topic"),
        (MqttTopic, {"url": "mqtt://a", "topic": "a+/b"}, "is no topic"),
        (MqttTopic, {"url": "mqtt://a", "topic": "x" * 70_000}, "is no topic"),
        (MqttTopic, {"url": "mqtt://a", "topic": "a", "quality": 2}, "a quality is 0 or 1"),
        (MqttTopic, {"url": "mqtt://a:b@c", "topic": "a"}, "holds no password"),
        (MqttTopic, {"url": "mqtt://a", "topic": "a", "format": "opensky"}, "do not fit"),
        (NatsSubject, {"url": "nats://a", "subject": "a b"}, "is no subject"),
        (NatsSubject, {"url": "nats://a", "subject": "a..b"}, "is no subject"),
        (NatsSubject, {"url": "nats://a", "subject": "a.>.b"}, "is no subject"),
        (NatsSubject, {"url": "nats://a", "subject": "a", "queue": "b c"}, "is no queue"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_reason(cls: type, values: dict[str, Any], told: str) -> None:
    with Bench() as bench, pytest.raises(CallFailedError, match=told):
        bench.build(cls, ROW, **values)


@pytest.mark.parametrize(
    ("cls", "name", "extra"), [(MqttTopic, "topic", "mqtt"), (NatsSubject, "subject", "nats")]
)
def test_a_missing_library_is_named_with_its_extra(
    cls: type, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_stream, "find_spec", lambda _: None)
    with Bench() as bench, pytest.raises(CallFailedError, match=rf"pip install 'liven\[{extra}\]'"):
        bench.build(cls, ROW, url=f"{extra}://localhost", **{name: "a"})


def test_host_login_and_rate_are_stated() -> None:
    stated = MqttTopic.capabilities(url="mqtts://Broker.example.org", login="~/login")
    assert [(one.kind, one.subject) for one in stated] == [
        (CapabilityKind.USE_HOST, "broker.example.org:8883"),
        (CapabilityKind.READ_FILE, "~/login"),
        (CapabilityKind.SEND, ""),
    ]
    assert NatsSubject.capabilities(url="nats://localhost")[0].subject == "localhost:4222"


def test_a_login_is_the_first_two_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "login"
    path.write_text("ann\nse cret\nmore\n")
    assert read_login(str(path)) == Login("ann", "se cret")
    assert read_login("") is None
    path.write_text("\n")
    with pytest.raises(LoginError, match="has no name in its first line"):
        read_login(str(path))
    path.write_bytes(b"\xff")
    with pytest.raises(LoginError, match="is not text"):
        read_login(str(path))
    with pytest.raises(LoginError, match="it is not a file of yours"):
        read_login("/proc/self/environ")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LoginError, match="pipe"):
        read_login(str(tmp_path / "pipe"))


def arrival(topic: str = "a") -> Arrival:
    return Arrival(topic, Decoded(), lambda: None)


def test_an_inbox_wakes_its_reader_and_is_bounded() -> None:
    inbox = Inbox(2)
    assert not select.select([inbox.fd], [], [], 0)[0]
    threads = [threading.Thread(target=inbox.put, args=(arrival(),)) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert select.select([inbox.fd], [], [], 0)[0]
    assert inbox.is_full
    assert not inbox.put(arrival("b"))
    inbox.drop()
    inbox.say("lost")
    inbox.say("")
    assert inbox.news() == ([""], 1)
    assert inbox.news() == ([], 0)
    assert not select.select([inbox.fd], [], [], 0)[0]
    assert [one.topic for one in inbox.take(5)] == ["a", "a"]
    assert inbox.put(arrival("c"))
    inbox.close()
    inbox.close()
    inbox.put(arrival("d"))  # its thread has not heard of the end yet

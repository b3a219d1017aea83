"""Behaviour that only an engine on real sockets has: late payloads, failing functions, its end."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.multicast import socket_engine
from liven.multicast.engine.sockets import DELIVERY, NOTICE, Item
from liven.multicast.errors import BusyError, ClosedError, MulticastError, SystemFaultError
from liven.multicast.group import Delivery, GroupEvent, Joined, Left, Sent, View, Withdrawn
from liven.multicast.key_file import ClusterKeys
from liven.multicast.notice_decoder import VIEW_CHANGED
from liven.multicast.service_process import (
    ServicePaths,
    first_port,
    is_served,
    open_server,
    serve,
    service_status,
    start_in_background,
    stop_service,
)
from liven.multicast.socket_engine import MESSAGE_MOST, Engine, EngineConfig, default_place, group_identity
from liven.multicast.socket_group import SocketGroup

_PATIENCE = 60.0


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ServicePaths]:
    made = default_place(tmp_path)
    yield made
    stop_service(made)


@pytest.fixture
def engine(place: ServicePaths) -> Iterator[Engine]:
    with Engine(EngineConfig(place, suspicion=_PATIENCE)) as made:
        yield made


def until(engine: Engine, true: Callable[[], bool]) -> None:
    limit = time.monotonic() + _PATIENCE
    while not true():
        assert time.monotonic() < limit, "it did not come about"
        engine.wait(0.02)


def joined(engine: Engine, name: str = "chat") -> SocketGroup:
    group = engine.join(name)
    events: list[GroupEvent] = []

    def seen() -> bool:
        events.extend(group.events())
        return any(isinstance(each, View) for each in events)

    until(engine, seen)
    assert Joined() in events
    return group


def received(engine: Engine, group: SocketGroup, count: int) -> list[bytes]:
    taken: list[bytes] = []

    def enough() -> bool:
        taken.extend(each.payload for each in group.receive())
        return len(taken) >= count

    until(engine, enough)
    return taken


@pytest.mark.slow
def test_a_late_payload_is_withdrawn_and_the_next_message_is_sent(engine: Engine) -> None:
    group = joined(engine)
    asked: list[int] = []

    def make(_room: int) -> bytes:
        asked.append(1)
        return b"late"

    ticket = group.send(make)
    time.sleep(1.5)  # nobody polls: the question is not seen before its time is over
    next_ticket = group.send(b"next")
    assert received(engine, group, 1) == [b"next"]
    events = group.events()
    assert Withdrawn(ticket) in events
    assert [event.ticket for event in events if isinstance(event, Sent)] == [next_ticket]
    assert asked == [1]


def test_the_exception_of_a_payload_function_is_raised_last(engine: Engine) -> None:
    group = joined(engine)

    def fail(_room: int) -> bytes:
        raise ZeroDivisionError("no payload today")

    ticket = group.send(fail)
    group.send(b"next")
    with pytest.raises(ZeroDivisionError, match="today"):
        until(engine, lambda: False)
    assert received(engine, group, 1) == [b"next"]
    assert Withdrawn(ticket) in group.events()


def test_a_too_long_payload_of_a_function_is_raised_last(engine: Engine) -> None:
    group = joined(engine)
    group.send(lambda _room: bytes(MESSAGE_MOST + 1))
    with pytest.raises(MulticastError, match="64 MiB"):
        until(engine, lambda: False)


def test_a_payload_of_another_kind_or_too_long_is_refused_at_once(engine: Engine) -> None:
    group = joined(engine)
    with pytest.raises(TypeError, match="not str"):
        group.send("text")  # type: ignore[arg-type]
    with pytest.raises(MulticastError, match="64 MiB"):
        group.send(bytes(MESSAGE_MOST + 1))
    group.send(b"x")
    assert received(engine, group, 1) == [b"x"]


def test_too_many_waiting_messages_are_refused_unsent(place: ServicePaths) -> None:
    config = EngineConfig(place, start_service=False)  # nobody serves, so nothing ever leaves
    with Engine(config) as engine:
        group = engine.join("chat")
        payload = bytes(1_000_000)
        with pytest.raises(BusyError, match="try again"):
            for _ in range(200):
                group.send(payload)
        assert engine.stats()["given_bytes"] <= 128 * 1024 * 1024
        engine.close(leave=False)


def test_threads_may_send_at_once_and_each_keeps_its_order(engine: Engine) -> None:
    group = joined(engine)

    def send(name: bytes) -> None:
        for number in range(300):
            group.send(b"%s %d" % (name, number))

    threads = [threading.Thread(target=send, args=(name,)) for name in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    taken = received(engine, group, 900)
    for thread in threads:
        thread.join()
    for name in (b"a", b"b", b"c"):
        assert [each for each in taken if each.startswith(name)] == [
            b"%s %d" % (name, number) for number in range(300)
        ]


def test_an_ended_engine_refuses_and_closing_again_does_nothing(place: ServicePaths) -> None:
    engine = Engine(EngineConfig(place, suspicion=_PATIENCE))
    group = joined(engine)
    engine.close()
    engine.close()
    with pytest.raises(ClosedError):
        group.send(b"x")
    with pytest.raises(ClosedError):
        engine.join("other")
    with pytest.raises(ClosedError):
        engine.stats()
    engine.poll()
    assert group.receive() == []


def test_threads_that_send_during_the_end_get_an_error(place: ServicePaths) -> None:
    engine = Engine(EngineConfig(place, suspicion=_PATIENCE))
    group = joined(engine)
    told: list[type[BaseException]] = []

    def send() -> None:
        while True:
            try:
                group.send(b"x" * 100)
            except BusyError:
                continue
            except MulticastError as error:
                told.append(type(error))
                return

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    engine.wait(0.05)
    engine.close(leave=False)
    for thread in threads:
        thread.join(_PATIENCE)
    assert told == [ClosedError] * 3


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_child_can_neither_use_nor_disturb_the_engine(engine: Engine) -> None:
    group = joined(engine)
    child = os.fork()
    if child == 0:
        try:
            group.send(b"child")
        except ClosedError:
            engine.close()
            os._exit(42)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 42
    group.send(b"parent")
    assert received(engine, group, 1) == [b"parent"]


def test_any_event_loop_may_watch_the_engine(engine: Engine) -> None:
    group = joined(engine)
    group.send(b"x")
    watched = select.epoll()
    watched.register(engine.fileno(), select.EPOLLIN)
    taken: list[bytes] = []
    while not taken:
        assert watched.poll(_PATIENCE)
        engine.poll()
        taken += [each.payload for each in group.receive()]
    watched.close()
    assert taken == [b"x"]


def test_a_group_may_be_left_before_the_join_is_answered(place: ServicePaths) -> None:
    with Engine(EngineConfig(place, start_service=False)) as engine:
        group = engine.join("chat")
        group.leave()
        with pytest.raises(MulticastError, match="join it first"):
            group.leave()
        engine.close(leave=False)


@pytest.mark.parametrize(
    ("interface", "complaint"), [("localhost", "localhost"), ("203.0.113.9", "203.0.113.9")]
)
def test_an_invalid_interface_is_named(
    place: ServicePaths, tmp_path: Path, interface: str, complaint: str
) -> None:
    with pytest.raises(SystemFaultError, match=complaint):
        Engine(EngineConfig(place, interface=interface, start_service=False, keys=tmp_path / "key"))


def test_an_unknown_setting_is_named(place: ServicePaths) -> None:
    with pytest.raises(ValueError, match="no_such_thing"):
        Engine(EngineConfig(place, start_service=False, settings={"no_such_thing": 1}))
    with pytest.raises(MulticastError, match="configuration"):
        Engine(EngineConfig(place, start_service=False, settings={"packet_size": 1}))


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    place = default_place(tmp_path / ("x" * 120))
    with pytest.raises((MulticastError, OSError), match="too long"):
        Engine(EngineConfig(place, suspicion=_PATIENCE))


def test_a_folder_that_cannot_be_made_is_an_error_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = default_place(tmp_path / "file" / "run")
    code, complaint = start_in_background(place, 1, 1.0)
    assert code == 3
    assert "file" in complaint
    with pytest.raises(MulticastError, match="no membership service could be started"):
        Engine(EngineConfig(place, suspicion=_PATIENCE))


def test_the_id_of_a_group_depends_only_on_its_name() -> None:
    assert group_identity("chat") == group_identity("chat")
    assert group_identity("chat") != group_identity("Chat")
    assert 0 < group_identity("") < 2**128


def test_a_second_service_is_refused_and_the_generation_grows(tmp_path: Path) -> None:
    place = default_place(tmp_path)
    first = open_server(place, 1)
    with pytest.raises(BlockingIOError):
        open_server(place, 1)
    assert first.generation() == 1
    assert first.connections() == 0
    assert is_served(place)
    first.close()
    first.close()
    with pytest.raises(ClosedError):
        first.connections()
    assert not is_served(place)
    second = open_server(place, 1)
    assert second.generation() == 2
    second.close()
    assert service_status(place) is None


@pytest.mark.slow
def test_many_joins_and_leaves_disturb_no_other_member(place: ServicePaths) -> None:
    engines = [Engine(EngineConfig(place, suspicion=_PATIENCE)) for _ in range(3)]
    _, reader, busy = engines
    groups = [joined(engine) for engine in engines]
    taken: list[bytes] = []
    side: list[SocketGroup] = []
    number = joins = 0
    while joins < 60:
        groups[0].send(b"%d" % number)
        number += 1
        if number % 20 == 0:
            side.append(busy.join(f"side {joins}"))
            joins += 1
        if len(side) > 5:
            side.pop(0).leave()
        for engine in engines:
            engine.wait(0.0005)
        taken += [each.payload for each in groups[1].receive()]
    taken += received(reader, groups[1], number - len(taken)) if len(taken) < number else []
    assert taken == [b"%d" % each for each in range(number)]
    for engine in engines:
        engine.close(leave=False)


def test_a_listener_may_close_the_engine_and_gets_nothing_more(place: ServicePaths) -> None:
    engine = Engine(EngineConfig(place, suspicion=_PATIENCE))
    group = joined(engine)
    heard: list[bytes] = []
    told: list[GroupEvent] = []

    def end(delivery: Delivery) -> None:
        heard.append(delivery.payload)
        group.send(b"delivered while the engine leaves")
        engine.close()

    group.listen(end, told.append)
    for number in range(5):
        group.send(b"%d" % number)
    until(engine, lambda: bool(heard))
    assert heard == [b"0"]
    assert isinstance(told[-1], Left)
    with pytest.raises(ClosedError):
        group.send(b"x")


def test_deliveries_can_be_read_after_the_end(engine: Engine) -> None:
    group = joined(engine)
    for number in range(5):
        group.send(b"%d" % number)
    until(engine, lambda: len(group._deliveries or ()) == 5)
    engine._socket.close()
    assert [each.payload for each in group.receive()] == [b"0", b"1", b"2", b"3", b"4"]


def test_a_failed_member_query_loses_no_delivery(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    group = joined(engine)
    notice = Item(NOTICE, VIEW_CHANGED, 0, group.number, 0, 7, 0, 0, 0, 0, b"")
    batches = [[notice, Item(DELIVERY, 0, 0, group.number, 1, 1, 0, 0, 0, 1, b"x")]]

    def is_busy(_group: int) -> None:
        raise BusyError(-11, "not now")

    monkeypatch.setattr(engine._socket, "take", lambda: batches.pop() if batches else [])
    monkeypatch.setattr(engine._socket, "ask_members", is_busy)
    with pytest.raises(BusyError):
        engine.poll()
    assert [each.payload for each in group.receive()] == [b"x"]


def test_an_unreported_receipt_is_reported_with_the_next(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = joined(engine)
    told: list[tuple[int, int]] = []

    def refuse(_group: int, messages: int, size: int) -> None:
        raise BusyError(-11, "not now")

    monkeypatch.setattr(engine._socket, "consumed", refuse)
    engine.consumed(group, 2, 20)
    monkeypatch.setattr(engine._socket, "consumed", lambda _group, *taken: told.append(taken))
    engine.consumed(group, 1, 10)
    assert told == [(3, 30)]


def test_the_status_file_of_a_killed_service_is_removed(place: ServicePaths) -> None:
    place.status.write_text('{"pid": 1}', encoding="utf-8")
    server = open_server(place, 1)
    try:
        assert not place.status.exists()
    finally:
        server.close()


def test_a_service_that_cannot_write_its_status_serves(place: ServicePaths) -> None:
    place.status.with_suffix(".new").mkdir()
    turns = iter((False, False, True))
    assert serve(open_server(place, 1), place, idle=None, stopped=lambda: next(turns)) == 0


def test_a_listener_may_not_poll(engine: Engine) -> None:
    group = joined(engine)
    group.listen(lambda _delivery: engine.poll())
    group.send(b"x")
    with pytest.raises(MulticastError, match="return first"):
        until(engine, lambda: False)


def test_an_engine_closed_by_an_exception_leaves_its_groups(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_engine, "_STOP_WITHIN_AFTER_ERROR", _PATIENCE)  # a busy machine takes its time
    with Engine(EngineConfig(place, suspicion=_PATIENCE)) as stays:
        group = joined(stays)
        with pytest.raises(ZeroDivisionError), Engine(EngineConfig(place, suspicion=_PATIENCE)) as goes:
            second = joined(goes)
            asked: list[int] = []

            def make(room: int) -> bytes:
                asked.append(room)
                return b"too late"

            second.send(make)
            raise ZeroDivisionError
        sizes: list[int] = []

        def alone() -> bool:
            sizes.extend(len(event.members) for event in group.events() if isinstance(event, View))
            return sizes[-1:] == [1]

        until(stays, alone)
        facts = service_status(place)
        assert facts is not None
        assert facts["suspicions"] == 0
        assert asked == []


def test_a_payload_requested_during_close_is_made_and_sent(place: ServicePaths) -> None:
    with Engine(EngineConfig(place, suspicion=_PATIENCE)) as stays:
        group = joined(stays)
        goes = Engine(EngineConfig(place, suspicion=_PATIENCE))
        second = joined(goes)
        second.send(lambda _room: b"last words")
        goes.close(within=_PATIENCE)
        assert received(stays, group, 1) == [b"last words"]


def test_a_port_used_by_another_program_is_named_with_advice(
    place: ServicePaths, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
        Engine(EngineConfig(place, suspicion=_PATIENCE)) as engine,
    ):
        other.bind(("0.0.0.0", first_port(place, 1, ClusterKeys(()))))
        engine.join("chat")
        with pytest.raises(
            SystemFaultError, match=r"28200 to 31271.* another cluster.*: Address already in use"
        ):
            until(engine, lambda: False)
        (told,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
        assert told.count("the engine has ended") == 1

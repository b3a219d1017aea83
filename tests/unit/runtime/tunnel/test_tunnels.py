"""Two nodes of one process, each with its own dispatcher, over a real socket."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CallFailedError, MismatchError
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Kind, Problems
from liven.runtime.tunnel import Address, AddressError, TunnelError, Tunnels
from liven.runtime.tunnel.frames import LARGEST, pack
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT32, INT64, TEXT, UINT64, record, union

ANSWER = record(call=UINT64, answer=union(value=INT64, error=TEXT))
SPEAKER = EndpointType(
    inputs=(("half.reply", ANSWER), ("heard", record(text=TEXT))),
    outputs=(("half", record(call=UINT64, n=INT64)), ("say", record(text=TEXT, volume=INT32))),
)
LISTENER = EndpointType(
    inputs=(("half", record(call=UINT64, n=INT64)), ("say", record(text=TEXT))),
    outputs=(("half.reply", ANSWER), ("heard", record(text=TEXT))),
)


@dataclass
class Side:
    """The runtime of one process."""

    crank: HandCranked
    problems: Problems
    node: Node
    tunnels: Tunnels


class Pair:
    def __init__(self, folder: Path) -> None:
        self.here, self.there = side(folder / "here"), side(folder / "there")

    def run(self, until: Callable[[], object]) -> None:
        """Crank both until `until` holds."""
        for _ in range(400):
            self.there.crank.settle()
            self.here.crank.wait(lambda: True)
            if until():
                return
            self.there.crank._poll(0.002)
        raise TimeoutError(f"{list(self.here.problems)} {list(self.there.problems)}")

    def connect(self, own: Probe, other: Probe) -> None:
        reply = self.here.tunnels.connect(own.external, self.there.tunnels.offer(other.external))
        self.run(lambda: reply.settled)
        reply.value()


def side(folder: Path) -> Side:
    problems = Problems()
    crank = HandCranked(problems.report)
    formalisms = Formalisms(builtin_formalisms())
    node = Node(crank, problems, Matcher(formalisms), ValueBridges())
    return Side(crank, problems, node, Tunnels(node, formalisms, folder))


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.here.tunnels.close()
    pair.there.tunnels.close()
    assert not pair.here.crank._watched_fds
    assert not pair.there.crank._watched_fds


def test_events_pass_both_ways_in_order(pair: Pair) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )
    pair.connect(speaker, listener)
    for number in range(50):
        speaker.send("say", {"text": str(number), "volume": 3})
    pair.run(lambda: len(listener.heard) == 51)
    assert listener.heard == [("connect",), *(("say", {"text": str(number)}) for number in range(50))]
    listener.send("heard", {"text": "yes"})
    pair.run(lambda: ("heard", {"text": "yes"}) in speaker.heard)


def test_a_call_is_answered_across_processes(pair: Pair) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )

    def halve(values: dict[str, int]) -> int:
        if values["n"] % 2:
            raise CallFailedError(f"{values['n']} is odd")
        return values["n"] // 2

    listener.react(half=halve)
    pair.connect(speaker, listener)
    good, bad = speaker.call("half", {"n": 84}), speaker.call("half", {"n": 3})
    pair.run(lambda: bad.settled)
    assert good.value() == 42
    assert str(bad.error) == "3 is odd"


@pytest.mark.parametrize("who", ["speaker", "listener"])
def test_the_end_of_either_proxy_is_a_disconnect_of_the_other(pair: Pair, who: str) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )
    pair.connect(speaker, listener)
    open_call = speaker.call("half", {"n": 1}) if who == "listener" else None
    left, stays = (speaker, listener) if who == "speaker" else (listener, speaker)
    listener.react(half=lambda _: Reply())
    left.close()
    pair.run(lambda: ("disconnect",) in stays.heard)
    assert len(pair.here.node.running) + len(pair.there.node.running) == 1
    assert open_call is None or isinstance(open_call.error, CallFailedError)
    assert len(pair.here.problems) == len(pair.there.problems) == 0


def test_after_a_disconnect_it_can_be_connected_again(pair: Pair) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )
    for number in range(1, 3):
        reply = pair.here.tunnels.connect(speaker.external, pair.there.tunnels.offer(listener.external))
        pair.run(lambda reply=reply: reply.settled)  # type: ignore[misc]
        reply.value().dispose()
        pair.run(lambda number=number: listener.heard.count(("disconnect",)) == number)  # type: ignore[misc]


def test_both_ends_check_the_type(pair: Pair) -> None:
    odd = EndpointType(outputs=(("say", record(text=INT32)),))
    speaker, listener = Probe(pair.here.node, odd, "odd"), Probe(pair.there.node, LISTENER, "listener")
    reply = pair.here.tunnels.connect(speaker.external, pair.there.tunnels.offer(listener.external))
    pair.run(lambda: reply.settled)
    assert isinstance(reply.error, TunnelError)
    assert "refused to connect odd/end" in str(reply.error)
    assert "say" in str(reply.error)
    assert not speaker.end.connected
    assert not listener.end.connected


def test_a_lying_server_is_refused_by_the_client(pair: Pair, tmp_path: Path) -> None:
    speaker = Probe(pair.here.node, SPEAKER, "speaker")
    path = tmp_path / "liar.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        reply = pair.here.tunnels.connect(speaker.external, str(Address(str(path), "0" * 32)))
        stream, _ = server.accept()
        with stream:
            stream.sendall(pack("welcome", [[["say", ["bytes"]]], [], [], []]))
            pair.run(lambda: reply.settled)
    assert isinstance(reply.error, MismatchError)
    assert not speaker.end.connected


def test_a_connected_endpoint_is_refused(pair: Pair) -> None:
    listener = Probe(pair.there.node, LISTENER, "listener")
    other = Probe(pair.there.node, opposite(LISTENER), "other")
    address = pair.there.tunnels.offer(listener.external)
    other.connect(listener)
    reply = pair.here.tunnels.connect(Probe(pair.here.node, SPEAKER, "speaker").external, address)
    pair.run(lambda: reply.settled)
    assert "listener/end is connected already" in str(reply.error)


def test_an_offer_ends_with_its_proxy_and_is_the_same_while_it_lasts(pair: Pair) -> None:
    listener = Probe(pair.there.node, LISTENER, "listener")
    address = pair.there.tunnels.offer(listener.external)
    assert pair.there.tunnels.offer(listener.external) == address
    listener.close()
    speaker = Probe(pair.here.node, SPEAKER, "speaker")
    reply = pair.here.tunnels.connect(speaker.external, address)
    pair.run(lambda: reply.settled)
    assert "no endpoint is offered here under that key" in str(reply.error)


def test_an_address_of_the_same_process_is_a_plain_connection(pair: Pair) -> None:
    speaker, listener = Probe(pair.here.node, SPEAKER, "speaker"), Probe(pair.here.node, LISTENER, "listener")
    reply = pair.here.tunnels.connect(speaker.external, pair.here.tunnels.offer(listener.external))
    assert reply.value().open
    speaker.send("say", {"text": "x", "volume": 1})
    assert listener.heard[-1][0] == "say"


@pytest.mark.parametrize("address", ["", "liven-endpoint:/x", "liven-endpoint:x#" + "0" * 32, "http://x"])
def test_a_text_that_is_not_an_address_is_refused(pair: Pair, address: str) -> None:
    reply = pair.here.tunnels.connect(Probe(pair.here.node, SPEAKER).external, address)
    assert isinstance(reply.error, AddressError)


def test_a_process_that_is_gone_is_an_error(pair: Pair, tmp_path: Path) -> None:
    speaker = Probe(pair.here.node, SPEAKER, "speaker")
    reply = pair.here.tunnels.connect(speaker.external, str(Address(str(tmp_path / "gone"), "0" * 32)))
    assert "No such file" in str(reply.error)


def test_a_process_that_never_answers_exceeds_the_time_limit(pair: Pair, tmp_path: Path) -> None:
    speaker = Probe(pair.here.node, SPEAKER, "speaker")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "mute.sock"))
        server.listen()
        reply = pair.here.tunnels.connect(
            speaker.external, str(Address(str(tmp_path / "mute.sock"), "0" * 32))
        )
        pair.here.crank.advance(6)
    assert "no answer in 5 s" in str(reply.error)


def test_local_kinds_are_never_offered(pair: Pair) -> None:
    with pytest.raises(TunnelError, match="never leaves its process"):
        pair.here.tunnels.offer(Probe(pair.here.node, EndpointType(local="UI")).external)


def guest(pair: Pair, *frames: bytes) -> bytes:
    """Return what the offering process answers to these bytes."""
    listener = Probe(pair.there.node, LISTENER, "listener")
    address = Address.parse(pair.there.tunnels.offer(listener.external))
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(address.socket)
        for frame in frames:
            stream.sendall(frame.replace(b"K" * 32, address.key.encode()))
        stream.setblocking(False)
        received = bytearray()

        def closed() -> bool:
            try:
                data = stream.recv(65536)
            except BlockingIOError:
                return False
            received.extend(data)
            return not data

        pair.run(closed)
    return bytes(received)


HELLO = pack(
    "hello", "K" * 32, [[["heard", ["record", [["text", ["text"]]]]], ["half.reply", ["bool"]]], [], [], []]
)


@pytest.mark.parametrize(
    "frames",
    [
        (b"\xff\xff\xff\xff",),
        (pack("bye"),),
        (pack("hello", 1, 2, 3, 4),),
        (pack("hello", "0" * 32, []),),
        (pack("hello", [], []),),
        (pack("hello", {}, []),),
        (pack("hello", None, []),),
        (pack("hello", "K" * 32, 5),),
        (pack("hello", "K" * 32, [[["a", [["x"]]]], [], [], []]),),
        (pack("hello", "K" * 32, [[["a", [{"x": 1}]]], [], [], []]),),
        (pack("hello", "K" * 32, [[], [["say", ["record", [["text", ["nothing"]]]]]], [], []]),),
        (HELLO,),
        (struct.pack(">I", LARGEST + 1),),
    ],
)
def test_an_invalid_hello_is_refused_and_nothing_else_happens(pair: Pair, frames: tuple[bytes, ...]) -> None:
    guest(pair, *frames)
    assert len(pair.there.problems) == 0
    assert [proxy.path for proxy in pair.there.node.running.values()] == [
        ("listener",)
    ] or not pair.there.node.running


FAIR = [
    [
        [
            "half.reply",
            [
                "record",
                [
                    [
                        "answer",
                        [
                            "union",
                            [["error", ["text"]], ["value", ["integer", str(-(2**63)), str(2**63 - 1)]]],
                        ],
                    ],
                    ["call", ["integer", "0", str(2**64 - 1)]],
                ],
            ],
        ],
        ["heard", ["record", [["text", ["text"]]]]],
    ],
    [["say", ["record", [["text", ["text"]]]]]],
    [],
    [],
]


@pytest.mark.parametrize(
    "frame",
    [
        pack("event", "say", b"\xc1"),
        pack("event", "say", b"\x81\xa4text\x01"),
        pack("event", "shout", b"\x80"),
        pack("event", "say"),
        pack("event", [], b""),
        pack("event", {"say": 1}, b""),
        pack("event", "heard", b""),
        pack("nonsense"),
    ],
)
def test_an_event_outside_the_peer_s_type_is_a_problem_and_a_disconnect(pair: Pair, frame: bytes) -> None:
    guest(pair, pack("hello", "K" * 32, FAIR), frame)
    (problem,) = pair.there.problems
    assert problem.kind is Kind.PEER
    assert problem.where[0] == "listener"


def test_a_value_that_cannot_be_encoded_raises_at_the_sender(pair: Pair) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )
    pair.connect(speaker, listener)
    speaker.send("say", {"text": 12, "volume": 1})
    (problem,) = pair.here.problems
    assert "say.text: expected text, got" in problem.what
    pair.run(lambda: ("disconnect",) in listener.heard)


def test_a_peer_that_does_not_read_is_cut_before_memory_runs_out(pair: Pair) -> None:
    speaker, listener = (
        Probe(pair.here.node, SPEAKER, "speaker"),
        Probe(pair.there.node, LISTENER, "listener"),
    )
    pair.connect(speaker, listener)
    big = "x" * 2**20
    for _ in range(40):
        if speaker.end.connected:
            speaker.send("say", {"text": big, "volume": 1})
    (problem,) = pair.here.problems
    assert "it has not read" in problem.what
    assert not speaker.end.connected
    pair.run(lambda: ("disconnect",) in listener.heard)


def test_the_socket_belongs_to_the_user_alone_and_is_removed(pair: Pair, tmp_path: Path) -> None:
    listener = Probe(pair.there.node, LISTENER, "listener")
    path = Path(Address.parse(pair.there.tunnels.offer(listener.external)).socket)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    pair.there.tunnels.close()
    assert not path.exists()


def test_a_client_of_another_user_is_refused_unread(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Probe(pair.there.node, LISTENER, "listener")
    pair.there.tunnels.offer(listener.external)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)  # the system still says who the guest is
    assert guest(pair) == b""
    assert not listener.end.connected
    monkeypatch.undo()
    speaker = Probe(pair.here.node, SPEAKER, "speaker")
    pair.connect(speaker, listener)


def test_a_server_of_another_user_gets_no_data(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "theirs.sock"))
        server.listen()
        address = str(Address(str(tmp_path / "theirs.sock"), "0" * 32))
        reply = pair.here.tunnels.connect(Probe(pair.here.node, SPEAKER, "speaker").external, address)
        assert "the process that serves it belongs to another user" in str(reply.error)
        stream, _ = server.accept()
        with stream:
            assert stream.recv(1) == b""


def test_a_folder_open_to_others_is_closed_before_the_socket_is_made(pair: Pair, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir(mode=0o777)
    (tmp_path / "there").chmod(0o777)
    listener = Probe(pair.there.node, LISTENER, "listener")
    pair.there.tunnels.offer(listener.external)
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o700


def test_a_folder_of_another_user_is_not_used_for_sockets(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = Probe(pair.there.node, LISTENER, "listener")
    user = os.getuid()
    (tmp_path / "there").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    with pytest.raises(TunnelError, match="belongs to another user; remove it"):
        pair.there.tunnels.offer(listener.external)
    monkeypatch.undo()
    (tmp_path / "there").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "there").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(TunnelError, match="is not a folder"):
        pair.there.tunnels.offer(listener.external)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_home_with_a_very_long_name_still_has_a_socket(pair: Pair, tmp_path: Path) -> None:
    long = side(tmp_path / ("x" * 120))
    listener = Probe(long.node, LISTENER, "listener")
    path = Path(Address.parse(long.tunnels.offer(listener.external)).socket)
    assert path.exists()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    long.tunnels.close()
    assert not path.parent.exists()

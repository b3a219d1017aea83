"""The membership service as a process of its own: `python -m liven.multicast.service_process …`.

The first engine that finds none starts one in the background; it outlives its starter and ends when
nobody has been connected for a while. A lock keeps a second one of the same user away: of two that start
at once, one ends at once. Beside its socket stands a file that says who serves, and how busy he is.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from liven.multicast import event_log
from liven.multicast.engine.sockets import Server
from liven.multicast.errors import MulticastError
from liven.multicast.key_file import ClusterKeys, ensure_keys
from liven.multicast.shared_log import write_log

OK, NO, ENVIRONMENT = 0, 1, 3
IDLE_SECONDS = 30.0
SUSPICION_SECONDS = 5.0
_TURN = 0.2
_START_WITHIN = 60.0
_LOOK_EVERY = 0.02
_ANOTHER_WITHIN = 1.0
_SERVING, _SILENT, _WORD_MOST = b"serving", b"silent", 1000
_TELL_EVERY = 0.2
_FIRST_ADDRESS, _FIRST_PORT, _ADDRESSES = "239.255.80.0", 28_200, 16_384
_PORTS_EACH, _CLUSTERS_APART = 3, 1024
_EPOCHS_APART = 50_000_000
_TOLD = ("epochs", "members", "groups", "regions", "suspicions", "strangers")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a membership service is found: its socket, and the lock that says that one runs."""

    socket: Path
    lock: Path

    @property
    def status(self) -> Path:
        """The file that says who serves."""
        return self.socket.with_name(self.socket.name + ".json")

    @property
    def board(self) -> Path:
        """The folder where engines show what they measure."""
        return self.socket.with_name("engines")


@dataclass(frozen=True, slots=True)
class Door:
    """Where members of other machines reach a service, and the file with the keys that they must have."""

    address: str
    """`ADDRESS:PORT`."""
    keys: Path


def first_port(place: Place, cluster: int, keys: ClusterKeys) -> int:
    """The first of the ports that the regions of this service's members have.

    Clusters share addresses, and each datagram wakes all who listen at its address and port, to be dropped
    by its tag. So users of one machine, and clusters with different keys, most often have different ports."""
    who = keys.keys[0][1] if keys.keys else os.fsencode(place.socket)
    digest = hashlib.blake2b(who, digest_size=4, key=cluster.to_bytes(8), person=b"liven-ports").digest()
    return _FIRST_PORT + _PORTS_EACH * (int.from_bytes(digest) % _CLUSTERS_APART)


def fault_at_ports(code: int) -> str:
    """What to do where the system refused an engine the ports of its regions; empty if that was not it."""
    if code != -errno.EADDRINUSE:
        return ""
    last = _FIRST_PORT + _PORTS_EACH * _CLUSTERS_APART - 1
    return (
        f"another program holds, for all addresses, a UDP port of the cluster, from {_FIRST_PORT} to {last}; "
        "end it (ss -ulpn shows who has which), or take another cluster number, which has other ports"
    )


def is_served(place: Place) -> bool:
    """Whether a service answers at this place."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(place.socket))
        except OSError:
            return False
    return True


def ensure_service(
    place: Place,
    cluster: int,
    idle: float = IDLE_SECONDS,
    door: Door | None = None,
    suspicion: float = SUSPICION_SECONDS,
    log: Path | None = None,
    hybrid_regions: int = 0,
) -> None:
    """Starts a service in the background unless one answers, and waits until one does.

    One that another process is about to start is waited for; if that one dies, it is tried again."""
    limit = time.monotonic() + _START_WITHIN
    while not is_served(place):
        code, complaint = start_in_background(place, cluster, idle, door, suspicion, log, hybrid_regions)
        if code not in (OK, NO):
            raise MulticastError(-1, f"no membership service could be started at {place.socket}: {complaint}")
        _await_answer(place, min(limit, time.monotonic() + _ANOTHER_WITHIN))
        if time.monotonic() > limit and not is_served(place):
            raise MulticastError(-1, f"the membership service at {place.socket} does not answer")


def start_in_background(
    place: Place,
    cluster: int,
    idle: float | None,
    door: Door | None = None,
    suspicion: float = SUSPICION_SECONDS,
    log: Path | None = None,
    hybrid_regions: int = 0,
) -> tuple[int, str]:
    """Starts a service that outlives this process. Returns 0 when it serves, 1 when another was faster, and
    what it complained of, also when it died before it had served a turn."""
    arguments = [str(place.socket), str(place.lock), "--cluster", str(cluster), "--background"]
    arguments += ["--suspicion", str(suspicion), "--hybrid-regions", str(hybrid_regions)]
    if idle is not None:
        arguments += ["--idle", str(idle)]
    if log is not None:
        arguments += ["--log", str(log)]
    if door is not None:
        arguments += ["--at", door.address, "--keys", str(door.keys)]
    reading, writing = os.pipe()
    try:
        started = subprocess.run(
            [sys.executable, "-m", "liven.multicast.service_process", *arguments, "--word", str(writing)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            check=False,
            text=True,
            timeout=_START_WITHIN,
            pass_fds=(writing,),
        )
    except subprocess.TimeoutExpired:
        os.close(writing)
        os.close(reading)
        return ENVIRONMENT, f"it did not begin within {_START_WITHIN:g} s; is the machine very busy?"
    os.close(writing)
    with io.FileIO(reading) as word:
        return _first_word(word) if started.returncode == OK else (started.returncode, started.stderr.strip())


def _first_word(word: io.FileIO) -> tuple[int, str]:
    """What a service in the background says of its first turn: it, too, may die of it, where nobody sees."""
    ready, _, _ = select.select([word], [], [], _START_WITHIN)
    said = word.read(_WORD_MOST) if ready else _SILENT
    if said == _SERVING:
        return OK, ""
    if said == _SILENT:
        return ENVIRONMENT, f"it began, and served nothing within {_START_WITHIN:g} s"
    why = said.decode(errors="replace") if said else "it ended without a word"
    return (
        ENVIRONMENT,
        f"it died as soon as it began: {why}; was the C core changed and not built?",
    )


def _await_answer(place: Place, limit: float) -> None:
    """Another one was faster, and holds the lock; it is about to answer."""
    while not is_served(place) and time.monotonic() <= limit:
        time.sleep(_LOOK_EVERY)


def open_server(
    place: Place,
    cluster: int,
    door: Door | None = None,
    suspicion: float = SUSPICION_SECONDS,
    hybrid_regions: int = 0,
) -> Server:
    """Begins to serve at this place, and for other machines at `door`; who is silent for `suspicion` seconds
    is removed, and a group of `hybrid_regions` regions gets an address of its own; none does with 0. Raises
    BlockingIOError when another one serves."""
    keys = ClusterKeys(()) if door is None else ensure_keys(door.keys)
    place.socket.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = Server(
        str(place.socket),
        str(place.lock),
        cluster,
        _FIRST_ADDRESS,
        first_port(place, cluster, keys),
        _ADDRESSES,
        _EPOCHS_APART,
        suspicion,
        hybrid_regions,
        "" if door is None else door.address,
        keys.keys,
    )
    place.status.unlink(missing_ok=True)  # a service that was killed left its number, which may be another's
    return server


def serve(server: Server, place: Place, *, idle: float | None, stopped: Callable[[], bool]) -> int:
    """Serves until told to stop, or until nobody has been connected for `idle` seconds.

    Returns 0, or 1 when a service of a higher generation exists, and this one had to give way."""
    told: dict[str, int] = {}
    next_time = 0.0
    try:
        while not stopped():
            if not server.run(_TURN):
                return NO
            if time.monotonic() >= next_time:
                told = _tell(server, place, told)
                next_time = time.monotonic() + _TELL_EVERY
            if idle is not None and server.connections() == 0 and server.idle() > idle:
                return OK
        return OK
    finally:
        place.status.unlink(missing_ok=True)
        server.close()


def _tell(server: Server, place: Place, told: dict[str, int]) -> dict[str, int]:
    """Writes who serves, when that changed."""
    stats = server.stats()
    facts = {name: stats[name] for name in _TOLD}
    facts |= {"pid": os.getpid(), "generation": server.generation(), "connections": server.connections()}
    if facts.get("epochs") != told.get("epochs"):
        event_log.epoch(facts, facts["suspicions"] - told.get("suspicions", 0))
    if facts != told:
        fresh = place.status.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(facts), encoding="utf-8")
            fresh.replace(place.status)
        except OSError:  # a full disk keeps nobody from serving; it is tried again
            return facts | {"unwritten": 1}
    return facts


def service_status(place: Place) -> dict[str, int] | None:
    """What the service that answers here says of itself; None when none does."""
    limit = time.monotonic() + _START_WITHIN
    while is_served(place):
        if time.monotonic() > limit:
            raise MulticastError(-1, f"the membership service at {place.socket} does not say who it is")
        try:
            facts = json.loads(place.status.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            time.sleep(_LOOK_EVERY)  # it has just begun
            continue
        return {str(name): int(value) for name, value in facts.items()}
    return None


def stop_service(place: Place) -> bool:
    """Ends the service that serves here, and waits until it has. False when there is none."""
    facts = service_status(place)
    if facts is None:
        return False
    with contextlib.suppress(ProcessLookupError):  # it has ended since it was asked
        os.kill(facts["pid"], signal.SIGTERM)
    limit = time.monotonic() + _START_WITHIN
    while is_served(place):
        if time.monotonic() > limit:
            raise MulticastError(-1, f"the membership service, process {facts['pid']}, does not end")
        time.sleep(_LOOK_EVERY)
    return True


def stop_on_signals() -> Callable[[], bool]:
    """From now on SIGTERM and SIGINT only say that it is time to stop."""
    stop: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stop.append(number))
    return lambda: bool(stop)


def main(argv: list[str] | None = None) -> int:
    """The background process."""
    parser = argparse.ArgumentParser(description="A membership service in the background.")
    parser.add_argument("socket", type=Path)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--cluster", type=int, required=True)
    parser.add_argument("--idle", type=float)
    parser.add_argument("--suspicion", type=float, default=SUSPICION_SECONDS)
    parser.add_argument("--hybrid-regions", type=int, default=0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--at")
    parser.add_argument("--keys", type=Path)
    parser.add_argument("--background", action="store_true")
    parser.add_argument("--word", type=int, help="the descriptor where it says that it serves, or why not")
    arguments = parser.parse_args(argv)
    place = Place(arguments.socket.resolve(), arguments.lock.resolve())
    try:
        door = Door(arguments.at, arguments.keys.resolve()) if arguments.at else None
        if arguments.log is not None:
            write_log(arguments.log.resolve())
        server = open_server(place, arguments.cluster, door, arguments.suspicion, arguments.hybrid_regions)
    except BlockingIOError:
        return NO
    except (OSError, MulticastError) as error:
        sys.stderr.write(f"{error}\n")
        return ENVIRONMENT
    # It serves already, from the socket's backlog: whoever waits for this process to end may connect.
    if arguments.background and os.fork():
        os._exit(OK)
    _let_go_of_the_starter()
    if arguments.word is not None:
        _begin(server, place, arguments.word)
    return serve(server, place, idle=arguments.idle, stopped=stop_on_signals())


def _begin(server: Server, place: Place, word: int) -> None:
    """The first turn, and a word to the starter of how it went."""
    said = _SERVING
    try:
        server.run(0.0)
        _tell(server, place, {})
    except BaseException as error:
        said = f"{type(error).__name__}: {error}".encode()[:_WORD_MOST]
        place.status.unlink(missing_ok=True)
        server.close()
        raise
    finally:
        with contextlib.suppress(OSError):  # the starter is gone
            os.write(word, said)
        os.close(word)


def _let_go_of_the_starter() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    os.chdir("/")


if __name__ == "__main__":
    sys.exit(main())

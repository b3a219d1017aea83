"""The membership service as a process: `python -m liven.multicast.service_process …`.

The first engine that finds no service starts one in the background; it outlives its starter and ends when
nobody has been connected for a while. A lock prevents a second one of the same user: of two that start at
once, one ends at once. A file beside its socket has the process id and the load.
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
_PRIVATE_UMASK = 0o077
_TURN = 0.2
_START_WITHIN = 60.0
_POLL_EVERY = 0.02
_ANOTHER_WITHIN = 1.0
_SERVING, _SILENT, _REPORT_MOST = b"serving", b"silent", 1000
_STATUS_EVERY = 0.2
_FIRST_ADDRESS, _FIRST_PORT, _ADDRESSES = "239.255.80.0", 28_200, 16_384
_PORTS_EACH, _CLUSTERS_APART = 3, 1024
_EPOCHS_APART = 50_000_000
_STATUS_NAMES = ("epochs", "members", "groups", "regions", "suspicions", "strangers")


@dataclass(frozen=True, slots=True)
class ServicePaths:
    """The paths of a membership service: its socket, and the lock that shows that one is running."""

    socket: Path
    lock: Path

    @property
    def status(self) -> Path:
        """The file with the status of the running service."""
        return self.socket.with_name(self.socket.name + ".json")

    @property
    def stats_folder(self) -> Path:
        """The folder where engines publish their statistics."""
        return self.socket.with_name("engines")


@dataclass(frozen=True, slots=True)
class RemoteListener:
    """The address at which a service listens for other machines, and the file with the keys that they must
    have."""

    address: str
    """`ADDRESS:PORT`."""
    keys: Path


def first_port(place: ServicePaths, cluster: int, keys: ClusterKeys) -> int:
    """Return the first of the ports of this service's regions.

    Clusters share addresses, and each datagram wakes every process that listens at its address and port, only
    to be dropped by its tag. So users of one machine, and clusters with different keys, mostly get different
    ports."""
    who = keys.keys[0][1] if keys.keys else os.fsencode(place.socket)
    digest = hashlib.blake2b(who, digest_size=4, key=cluster.to_bytes(8), person=b"liven-ports").digest()
    return _FIRST_PORT + _PORTS_EACH * (int.from_bytes(digest) % _CLUSTERS_APART)


def fault_at_ports(code: int) -> str:
    """Return what to do if the system refused an engine the ports of its regions; empty for another code."""
    if code != -errno.EADDRINUSE:
        return ""
    last = _FIRST_PORT + _PORTS_EACH * _CLUSTERS_APART - 1
    return (
        f"another program uses a UDP port of the cluster, from {_FIRST_PORT} to {last}, on all addresses; "
        "end it (ss -ulpn lists the programs), or set another cluster number, which has other ports"
    )


def is_served(place: ServicePaths) -> bool:
    """True if a service answers there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(place.socket))
        except OSError:
            return False
    return True


def ensure_service(
    place: ServicePaths,
    cluster: int,
    idle: float = IDLE_SECONDS,
    remote: RemoteListener | None = None,
    suspicion: float = SUSPICION_SECONDS,
    log: Path | None = None,
    hybrid_regions: int = 0,
) -> None:
    """Start a service in the background unless one answers, and wait until one does.

    If another process is about to start one, wait for it, and try again if it dies."""
    limit = time.monotonic() + _START_WITHIN
    while not is_served(place):
        code, complaint = start_in_background(place, cluster, idle, remote, suspicion, log, hybrid_regions)
        if code not in (OK, NO):
            raise MulticastError(-1, f"no membership service could be started at {place.socket}: {complaint}")
        _await_answer(place, min(limit, time.monotonic() + _ANOTHER_WITHIN))
        if time.monotonic() > limit and not is_served(place):
            raise MulticastError(-1, f"the membership service at {place.socket} does not answer")


def start_in_background(
    place: ServicePaths,
    cluster: int,
    idle: float | None,
    remote: RemoteListener | None = None,
    suspicion: float = SUSPICION_SECONDS,
    log: Path | None = None,
    hybrid_regions: int = 0,
) -> tuple[int, str]:
    """Start a service that outlives this process. Return 0 if it serves, 1 if another was faster, or another
    code with the complaint, also if it died before it had served anything."""
    arguments = [str(place.socket), str(place.lock), "--cluster", str(cluster), "--background"]
    arguments += ["--suspicion", str(suspicion), "--hybrid-regions", str(hybrid_regions)]
    if idle is not None:
        arguments += ["--idle", str(idle)]
    if log is not None:
        arguments += ["--log", str(log)]
    if remote is not None:
        arguments += ["--at", remote.address, "--keys", str(remote.keys)]
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
        return ENVIRONMENT, f"it did not start within {_START_WITHIN:g} s; is the machine very busy?"
    os.close(writing)
    with io.FileIO(reading) as word:
        return (
            _first_report(word) if started.returncode == OK else (started.returncode, started.stderr.strip())
        )


def _first_report(word: io.FileIO) -> tuple[int, str]:
    """Read the report of a background service about its first turn, in which it may die unseen."""
    ready, _, _ = select.select([word], [], [], _START_WITHIN)
    said = word.read(_REPORT_MOST) if ready else _SILENT
    if said == _SERVING:
        return OK, ""
    if said == _SILENT:
        return ENVIRONMENT, f"it started but served nothing within {_START_WITHIN:g} s"
    why = said.decode(errors="replace") if said else "it ended without a message"
    return (
        ENVIRONMENT,
        f"it died at its start: {why}; was the C core changed and not rebuilt?",
    )


def _await_answer(place: ServicePaths, limit: float) -> None:
    """Wait until another service that was faster, and holds the lock, answers."""
    while not is_served(place) and time.monotonic() <= limit:
        time.sleep(_POLL_EVERY)


def open_server(
    place: ServicePaths,
    cluster: int,
    remote: RemoteListener | None = None,
    suspicion: float = SUSPICION_SECONDS,
    hybrid_regions: int = 0,
) -> Server:
    """Start to serve there, and for other machines at `remote`. A member that is silent for `suspicion`
    seconds is removed, and a group of `hybrid_regions` regions gets an address of its own, unless that is 0.
    Raise BlockingIOError if another service is running."""
    keys = ClusterKeys(()) if remote is None else ensure_keys(remote.keys)
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
        "" if remote is None else remote.address,
        keys.keys,
    )
    place.status.unlink(missing_ok=True)  # left by a service that was killed; its process id may be reused
    return server


def serve(server: Server, place: ServicePaths, *, idle: float | None, stopped: Callable[[], bool]) -> int:
    """Serve until written to stop, or until nobody has been connected for `idle` seconds.

    Return 0, or 1 if another service has taken over and this one had to yield."""
    written: dict[str, int] = {}
    next_time = 0.0
    try:
        while not stopped():
            if not server.run(_TURN):
                return NO
            if time.monotonic() >= next_time:
                written = _write_status(server, place, written)
                next_time = time.monotonic() + _STATUS_EVERY
            if idle is not None and server.connections() == 0 and server.idle() > idle:
                return OK
        return OK
    finally:
        _remove_status(place)
        server.close()


def _remove_status(place: ServicePaths) -> None:
    """Remove the status file, unless another service has replaced it."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        if json.loads(place.status.read_text(encoding="utf-8"))["pid"] == os.getpid():
            place.status.unlink()


def _write_status(server: Server, place: ServicePaths, written: dict[str, int]) -> dict[str, int]:
    """Write the status file if something changed, or if it was deleted."""
    stats = server.stats()
    facts = {name: stats[name] for name in _STATUS_NAMES}
    facts |= {"pid": os.getpid(), "generation": server.generation(), "connections": server.connections()}
    if facts.get("epochs") != written.get("epochs"):
        event_log.epoch(facts, facts["suspicions"] - written.get("suspicions", 0))
    if facts != written or not place.status.exists():
        fresh = place.status.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(facts), encoding="utf-8")
            fresh.replace(place.status)
        except OSError:  # a full disk does not stop the service; try again later
            return facts | {"unwritten": 1}
    return facts


def service_status(place: ServicePaths) -> dict[str, int] | None:
    """Return the status of the service that answers there; None if there is none."""
    limit = time.monotonic() + _START_WITHIN
    while is_served(place):
        if time.monotonic() > limit:
            raise MulticastError(-1, f"the membership service at {place.socket} does not report its status")
        try:
            facts = json.loads(place.status.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            time.sleep(_POLL_EVERY)  # it has just started
            continue
        return {str(name): int(value) for name, value in facts.items()}
    return None


def stop_service(place: ServicePaths) -> bool:
    """End the service that runs there, and wait until it has ended. Return False if there is none."""
    facts = service_status(place)
    if facts is None:
        return False
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.kill(facts["pid"], signal.SIGTERM)
    limit = time.monotonic() + _START_WITHIN
    while is_served(place):
        if time.monotonic() > limit:
            raise MulticastError(-1, f"the membership service, process {facts['pid']}, does not end")
        time.sleep(_POLL_EVERY)
    return True


def stop_on_signals() -> Callable[[], bool]:
    """From now on SIGTERM and SIGINT only set a flag. Return a function that reads it."""
    stop: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stop.append(number))
    return lambda: bool(stop)


def main(argv: list[str] | None = None) -> int:
    """Run the background process."""
    os.umask(_PRIVATE_UMASK)
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
    parser.add_argument("--word", type=int, help="the descriptor for a report that it serves, or why not")
    arguments = parser.parse_args(argv)
    place = ServicePaths(arguments.socket.resolve(), arguments.lock.resolve())
    try:
        remote = RemoteListener(arguments.at, arguments.keys.resolve()) if arguments.at else None
        if arguments.log is not None:
            write_log(arguments.log.resolve())
        server = open_server(place, arguments.cluster, remote, arguments.suspicion, arguments.hybrid_regions)
    except BlockingIOError:
        return NO
    except (OSError, MulticastError) as error:
        sys.stderr.write(f"{error}\n")
        return ENVIRONMENT
    # The socket accepts connections already: whoever waits for this process to end may connect.
    if arguments.background and os.fork():
        os._exit(OK)
    _detach_from_the_starter()
    if arguments.word is not None:
        _begin(server, place, arguments.word)
    return serve(server, place, idle=arguments.idle, stopped=stop_on_signals())


def _begin(server: Server, place: ServicePaths, word: int) -> None:
    """Serve the first turn, and report its result to the starter."""
    said = _SERVING
    try:
        server.run(0.0)
        _write_status(server, place, {})
    except BaseException as error:
        said = f"{type(error).__name__}: {error}".encode()[:_REPORT_MOST]
        place.status.unlink(missing_ok=True)
        server.close()
        raise
    finally:
        with contextlib.suppress(OSError):  # the starter is gone
            os.write(word, said)
        os.close(word)


def _detach_from_the_starter() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    os.chdir("/")


if __name__ == "__main__":
    sys.exit(main())

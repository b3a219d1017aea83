"""The membership service as a process of its own: `python -m liven.multicast.service_process …`.

The first engine that finds none starts one in the background; it outlives its starter and ends when
nobody has been connected for a while. A lock keeps a second one of the same user away: of two that start
at once, one ends at once.
"""

from __future__ import annotations

import argparse
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from liven.multicast.errors import MulticastError
from liven.multicast.udp_door import Server

OK, NO, ENVIRONMENT = 0, 1, 3
IDLE_SECONDS = 30.0
_TURN = 0.5
_START_WITHIN = 10.0
_LOOK_EVERY = 0.02
_FIRST_ADDRESS, _FIRST_PORT, _ADDRESSES = "239.255.80.0", 28_200, 16_384
_BATCH = 5_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a membership service is found: its socket, and the lock that says that one runs."""

    socket: Path
    lock: Path


def is_served(place: Place) -> bool:
    """Whether a service answers at this place."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(place.socket))
        except OSError:
            return False
    return True


def ensure_service(place: Place, cluster: int) -> None:
    """Starts a service in the background unless one answers, and waits until one does."""
    if is_served(place):
        return
    place.socket.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    arguments = [str(place.socket), str(place.lock), "--cluster", str(cluster), "--idle", str(IDLE_SECONDS)]
    started = subprocess.Popen(
        [sys.executable, "-m", "liven.multicast.service_process", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    limit = time.monotonic() + _START_WITHIN
    while not is_served(place):
        # A code of 1 says that another one was faster; that one is about to answer.
        if started.poll() not in (None, NO) or time.monotonic() > limit:
            raise MulticastError(-1, f"no membership service could be started at {place.socket}")
        time.sleep(_LOOK_EVERY)


def serve(place: Place, cluster: int, *, idle: float | None, stopped: Callable[[], bool]) -> int:
    """Serves until told to stop, or until nobody has been connected for `idle` seconds.

    Returns 0, or 1 when another service runs here already, or one of a higher generation elsewhere.
    """
    try:
        server = Server(
            str(place.socket), str(place.lock), cluster, _FIRST_ADDRESS, _FIRST_PORT, _ADDRESSES, _BATCH
        )
    except BlockingIOError:
        return NO
    try:
        while not stopped():
            if not server.run(_TURN):
                return NO
            if idle is not None and server.connections() == 0 and server.idle() > idle:
                return OK
        return OK
    finally:
        server.close()


def main(argv: list[str] | None = None) -> int:
    """The background process."""
    parser = argparse.ArgumentParser(description="A membership service in the background.")
    parser.add_argument("socket", type=Path)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--cluster", type=int, required=True)
    parser.add_argument("--idle", type=float, required=True)
    arguments = parser.parse_args(argv)
    stop: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stop.append(number))
    place = Place(arguments.socket, arguments.lock)
    return serve(place, arguments.cluster, idle=arguments.idle, stopped=lambda: bool(stop))


if __name__ == "__main__":
    sys.exit(main())

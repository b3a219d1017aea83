"""A membership service whose socket, lock or whole folder is deleted while it runs."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.multicast.service_process import (
    NO,
    OK,
    ServicePaths,
    ensure_service,
    is_served,
    service_status,
    start_in_background,
)
from liven.multicast.socket_engine import default_place

LIMIT = 30.0


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ServicePaths]:
    """The paths of a service that runs, and that is ended afterwards."""
    made = default_place(tmp_path / "run")
    assert start_in_background(made, 1, None) == (OK, "")
    first = pid_at(made)
    yield made
    for pid in {first, pid_at(made) if is_served(made) else first}:
        end(pid)


def pid_at(place: ServicePaths) -> int:
    status = service_status(place)
    assert status is not None
    return status["pid"]


def end(pid: int) -> None:
    for number in (signal.SIGTERM, signal.SIGCONT):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
    until(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return False
    return state not in "ZX"


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.01)


def test_a_service_makes_its_deleted_socket_again(place: ServicePaths) -> None:
    pid = pid_at(place)
    place.socket.unlink()
    ensure_service(place, 1)  # the next program, which finds no socket
    assert pid_at(place) == pid


def test_a_service_replaces_a_file_that_took_the_place_of_its_socket(place: ServicePaths) -> None:
    pid = pid_at(place)
    place.socket.unlink()
    place.socket.write_bytes(b"not a socket")
    until(lambda: is_served(place))
    assert pid_at(place) == pid


def test_a_service_takes_its_lock_again_when_its_folder_is_deleted(place: ServicePaths) -> None:
    pid = pid_at(place)
    shutil.rmtree(place.socket.parent)
    until(lambda: is_served(place))
    assert pid_at(place) == pid
    assert place.socket.parent.stat().st_mode & 0o777 == 0o700
    assert start_in_background(place, 1, None)[0] == NO, "a second service would be a second history"


def test_the_lock_made_again_keeps_the_generation(place: ServicePaths) -> None:
    generation = (service_status(place) or {})["generation"]
    place.lock.unlink()
    until(place.lock.exists)
    until(lambda: place.lock.read_text().strip() == str(generation))


def test_a_service_that_was_stopped_yields_to_the_one_that_took_its_place(place: ServicePaths) -> None:
    first = pid_at(place)
    os.kill(first, signal.SIGSTOP)
    shutil.rmtree(place.socket.parent)
    assert start_in_background(place, 1, None) == (OK, "")
    second = pid_at(place)
    assert second != first
    os.kill(first, signal.SIGCONT)
    until(lambda: not is_running(first))
    assert is_served(place), "the one that ended must leave the socket of the other alone"
    assert pid_at(place) == second

"""Reports about a membership service that is slow to start, or quick to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from liven.multicast import service_process
from liven.multicast.errors import MulticastError
from liven.multicast.key_file import ClusterKeys
from liven.multicast.service_process import (
    ENVIRONMENT,
    ServicePaths,
    ensure_service,
    first_port,
    service_status,
    start_in_background,
    stop_service,
)
from liven.multicast.socket_engine import default_place


@pytest.fixture
def place(tmp_path: Path) -> ServicePaths:
    made = default_place(tmp_path)
    made.socket.parent.mkdir(parents=True, exist_ok=True)
    return made


def served(monkeypatch: pytest.MonkeyPatch, *answers: bool) -> None:
    """A service that answers a few times, and then no more."""
    said = iter(answers)
    monkeypatch.setattr(service_process, "is_served", lambda _: next(said, False))


def test_a_service_that_starts_too_slowly_is_an_error(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_process, "_START_WITHIN", 0.001)
    code, complaint = start_in_background(place, 1, 1.0)
    assert code == ENVIRONMENT
    assert complaint.startswith("it did not start within 0.001 s")
    with pytest.raises(MulticastError, match=r"could be started at .* it did not start"):
        ensure_service(place, 1)


def test_a_service_that_ends_while_queried_has_no_status(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(monkeypatch, True, True)
    assert service_status(place) is None


def test_a_service_that_never_reports_its_status_is_an_error(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_process, "is_served", lambda _: True)
    monkeypatch.setattr(service_process, "_START_WITHIN", 0.001)
    with pytest.raises(MulticastError, match="does not report its status"):
        service_status(place)


def test_stopping_a_service_that_has_just_ended_succeeds(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    place.status.write_text(json.dumps({"pid": gone.pid}))
    served(monkeypatch, True)
    assert stop_service(place)


def patched(folder: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Make every Python process started from here run this line first."""
    (folder / "sitecustomize.py").write_text(line + "\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))


STALE = """
import sys
if "--word" in sys.argv:
    from liven.multicast.engine.sockets import Server
    def stats(self):
        raise AttributeError("the core has no function 'stats'")
    Server.stats = stats
"""
CRASHING = STALE.replace("raise AttributeError", "import os; os.abort() #")


def test_a_service_that_dies_in_its_first_turn_is_reported_with_the_reason(
    place: ServicePaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched(tmp_path, monkeypatch, STALE)
    with pytest.raises(MulticastError, match=r"died at its start: AttributeError: the core has no"):
        ensure_service(place, 1)
    assert service_status(place) is None


def test_a_service_that_dies_without_a_report_is_an_error(
    place: ServicePaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched(tmp_path, monkeypatch, CRASHING)
    with pytest.raises(MulticastError, match=r"it ended without a message; was the C core changed"):
        ensure_service(place, 1)


def test_a_service_that_died_at_its_start_is_started_again(
    place: ServicePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def start(*_: object) -> tuple[int, str]:
        started.append(1 if not started else 0)
        return started[-1], ""

    monkeypatch.setattr(service_process, "_ANOTHER_WITHIN", 0.05)
    monkeypatch.setattr(service_process, "start_in_background", start)
    monkeypatch.setattr(service_process, "is_served", lambda _: started[-1:] == [0])
    ensure_service(place, 1)
    assert started == [1, 0]


def test_a_service_that_never_answers_fails(place: ServicePaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_process, "_START_WITHIN", 0.1)
    monkeypatch.setattr(service_process, "_ANOTHER_WITHIN", 0.05)
    monkeypatch.setattr(service_process, "is_served", lambda _: False)
    monkeypatch.setattr(service_process, "start_in_background", lambda *_: (1, ""))
    with pytest.raises(MulticastError, match="does not answer"):
        ensure_service(place, 1)


def test_clusters_have_ports_of_their_own_and_always_the_same(tmp_path: Path) -> None:
    places = [default_place(tmp_path / str(number)) for number in range(20)]
    none = ClusterKeys(())
    ports = {first_port(place, 1, none) for place in places}
    ports |= {first_port(places[0], cluster, none) for cluster in range(2, 22)}
    ports |= {first_port(places[0], 1, ClusterKeys(((1, bytes([each]) * 32),))) for each in range(20)}
    assert len(ports) > 50  # of 60: two may meet by chance
    assert all(port % 3 == 28_200 % 3 and 28_200 <= port < 31_272 for port in ports)
    assert first_port(places[3], 1, none) == first_port(default_place(tmp_path / "3"), 1, none)


def test_machines_with_the_same_key_have_the_same_ports(tmp_path: Path) -> None:
    keys = ClusterKeys(((1, bytes(32)),))
    here, there = default_place(tmp_path / "here"), default_place(tmp_path / "there")
    assert first_port(here, 1, keys) == first_port(there, 1, keys)

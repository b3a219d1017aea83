"""What is said of a membership service that is slow to begin, or quick to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from liven.multicast import service_process
from liven.multicast.errors import MulticastError
from liven.multicast.service_process import (
    ENVIRONMENT,
    Place,
    ensure_service,
    service_status,
    start_in_background,
    stop_service,
)
from liven.multicast.sockets import default_place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = default_place(tmp_path)
    made.socket.parent.mkdir(parents=True, exist_ok=True)
    return made


def served(monkeypatch: pytest.MonkeyPatch, *answers: bool) -> None:
    """A service that answers so often, and then no more."""
    said = iter(answers)
    monkeypatch.setattr(service_process, "is_served", lambda _: next(said, False))


def test_one_that_does_not_begin_in_time_is_an_error_that_says_so(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_process, "_START_WITHIN", 0.001)
    code, complaint = start_in_background(place, 1, 1.0)
    assert code == ENVIRONMENT
    assert complaint.startswith("it did not begin within 0.001 s")
    with pytest.raises(MulticastError, match=r"could be started at .* it did not begin"):
        ensure_service(place, 1)


def test_one_that_ends_while_it_is_asked_is_none(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, True, True)
    assert service_status(place) is None


def test_one_that_never_says_who_it_is_is_an_error(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_process, "is_served", lambda _: True)
    monkeypatch.setattr(service_process, "_START_WITHIN", 0.001)
    with pytest.raises(MulticastError, match="does not say who it is"):
        service_status(place)


def test_one_that_ended_before_it_was_told_to_has_ended(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    place.status.write_text(json.dumps({"pid": gone.pid}))
    served(monkeypatch, True)
    assert stop_service(place)

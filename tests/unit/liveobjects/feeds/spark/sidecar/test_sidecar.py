"""The resident process and its clients, in one process over a real socket."""

from __future__ import annotations

import json
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.spark.runner import Places, Run
from liven.liveobjects.feeds.spark.session import Session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.sidecar.client import SidecarClient, SidecarGoneError
from liven.liveobjects.feeds.spark.sidecar.delegation import submitted
from liven.liveobjects.feeds.spark.sidecar.greeting import STATUS, STOP, greeting
from liven.liveobjects.feeds.spark.sidecar.server import AlreadyServedError, Sidecar, listening


class Served:
    """A resident process in a thread."""

    def __init__(self, session: Session, places: Places, idle: float = 600.0) -> None:
        self.settings = SparkSettings()
        self.sidecar = Sidecar(session, self.settings, places, "1.0", idle=idle)
        self.places = places
        self._up = threading.Event()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        self._up.wait()

    def _serve(self) -> None:
        with listening(self.places.socket) as listener:
            self._up.set()
            self.why = self.sidecar.serve(listener)


@pytest.fixture
def places(workplace: Any, tmp_path: Path) -> Places:
    return Places(
        workplace.context.feeds,
        workplace.layout.root,
        tmp_path / "cache",
        tmp_path / "logs",
        tmp_path / "run" / "s",
    )


@pytest.fixture
def served(session: Session, places: Places) -> Iterator[Served]:
    found = Served(session, places)
    yield found
    found.sidecar.stop()
    found.thread.join()


def run_of(served: Served, job: str, arguments: dict[str, Any], events: list[dict[str, Any]]) -> Run:
    return Run(job, arguments, served.settings, served.places, events.append)


def test_a_job_is_done_in_the_resident_process(
    served: Served, workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(20))
    events: list[dict[str, Any]] = []
    outcome = submitted(run_of(served, "ingest", {}, events), "1.0")
    assert (outcome.code, outcome.text) == (0, "")
    assert events[0] == {"event": "ready", "resident": True}
    assert [event["done"] for event in events if event["event"] == "batch"] == [20]
    rows: list[dict[str, Any]] = []
    submitted(run_of(served, "sql", {"query": "select count(*) from records"}, rows), "1.0")
    assert rows[-1] == {"event": "rows", "rows": [[20]]}


def test_a_failure_is_told_as_it_would_be_here(served: Served) -> None:
    outcome = submitted(run_of(served, "ingest", {"feeds": ["nothing"]}, []), "1.0")
    assert outcome.code == 1
    assert "there is no feed 'nothing'" in outcome.text


def test_only_the_user_may_open_the_socket(served: Served) -> None:
    assert stat.S_IMODE(served.places.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(served.places.socket.parent.stat().st_mode) == 0o700
    with pytest.raises(AlreadyServedError), listening(served.places.socket):
        pass


def test_a_stale_socket_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert SidecarClient.connect(path) is None
    with listening(path):
        pass
    assert not path.exists()


def test_a_process_with_other_settings_is_asked_to_end(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    from liven.liveobjects.feeds.spark.runner import Outcome

    monkeypatch.setattr(Run, "run", lambda _self: Outcome(7))
    events: list[dict[str, Any]] = []
    run = run_of(served, "sql", {"query": "select 1"}, events)
    assert submitted(run, "2.0").code == 7
    assert served.thread.is_alive()
    assert submitted(run_of(served, "ingest", {}, events), "2.0").code == 7
    served.thread.join()
    assert "other settings" in events[-1]["text"]
    assert "other settings of Spark" in served.why


def ask(served: Served, line: bytes) -> list[dict[str, Any]]:
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(served.places.socket))
        raw.sendall(line)
        return [json.loads(each) for each in raw.makefile("rb")]


def test_nonsense_and_unknown_jobs_are_refused(served: Served) -> None:
    assert [event["event"] for event in ask(served, b"nonsense\n")] == ["hello"]
    assert [event["event"] for event in ask(served, b"[]\n")] == ["hello"]
    assert ask(served, b'{"job": "rm"}\n')[-1]["code"] == 2
    assert ask(served, b'{"job": "%s"}\n' % STATUS.encode())[-1]["code"] == 0


def test_a_client_that_hangs_up_cancels_its_job_alone(
    served: Served, workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(400))
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(served.places.socket))
        lines = raw.makefile("rb")
        arguments = {"first_rows": 1, "most_rows": 1}
        raw.sendall(json.dumps({"job": "ingest", "arguments": arguments}).encode() + b"\n")
        while json.loads(lines.readline())["event"] != "batch":
            pass
        lines.close()
    rows: list[dict[str, Any]] = []
    outcome = submitted(run_of(served, "sql", {"query": "select 1 as one"}, rows), "1.0")
    assert outcome.code == 0
    assert rows[-1] == {"event": "rows", "rows": [[1]]}
    assert not list(workplace.layout.commits("f").glob("*0399.json"))


def test_nobody_asking_ends_it(session: Session, places: Places) -> None:
    served = Served(session, places, idle=0.0)
    served.thread.join()
    assert served.why == "nobody had a job for 0 minutes"
    assert not places.socket.exists()


def test_it_ends_when_asked(served: Served) -> None:
    client = SidecarClient.connect(served.places.socket)
    assert client is not None
    with client:
        assert client.ask(STOP, {}, lambda _event: None)["code"] == 0
    served.thread.join()
    assert served.why == "another program asked for it"
    assert SidecarClient.connect(served.places.socket) is None


def test_a_process_that_vanishes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "s"

    def vanish(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b'{"event": "hello"}\n')
            connection.recv(100)

    with listening(path) as listener:
        thread = threading.Thread(target=vanish, args=(listener,))
        thread.start()
        client = SidecarClient.connect(path)
        assert client is not None
        with client, pytest.raises(SidecarGoneError):
            client.ask("ingest", {}, lambda _event: None)
        thread.join()


@pytest.mark.parametrize(
    "end", [b"", b'{"event":"end","code":-1,"text":"Java ended","cache_missing":false}\n']
)
def test_rows_that_somebody_has_do_not_come_again(end: bytes, tmp_path: Path) -> None:
    """Java, or the process, ends between the rows of a query."""
    places = Places(tmp_path, tmp_path, tmp_path, tmp_path, tmp_path / "s")

    def vanish(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(json.dumps(greeting("1", SparkSettings(), places)).encode() + b"\n")
            connection.recv(100)
            connection.sendall(b'{"event":"rows","rows":[[1]]}\n' + end)

    events: list[dict[str, Any]] = []
    run = Run("sql", {"query": "select 1"}, SparkSettings(), places, events.append)
    with listening(places.socket) as listener:
        thread = threading.Thread(target=vanish, args=(listener,))
        thread.start()
        outcome = submitted(run, "1")
        thread.join()
    assert [event["event"] for event in events] == ["ready", "rows"]
    assert outcome.code == 1
    assert "not all, so run the query again" in outcome.text

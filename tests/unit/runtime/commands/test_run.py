"""`liven run` in a process of its own, as a person or a program would start it."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from liven.runtime.commands import run
from liven.runtime.reference.model import Document, Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

Lines: TypeAlias = list[dict[str, Any]]
MODULE = """
import time
from typing import Annotated, Protocol

from liven.runtime.objects.context import Context
from liven.runtime.folder.folder_type import Folder, FolderClient
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, Exports, Imports, interface, provides, proxy


@interface
class Ticks(Protocol):
    def tick(self, n: int) -> None: ...


@proxy(id="00000000000000000000000000C0FFE1", alias="my:clock")
class Clock:
    out: Annotated[Imports[Ticks], provides("trace", "at most one out.tick")]

    def __init__(self, context: Context, every: float = 0.01) -> None:
        self.context, self.every, self.n = context, every, 0

    def out_connected(self) -> None:
        self.context.call_later(self.every, self.tick)

    def tick(self) -> None:
        self.n += 1
        self.out.peer.tick(self.n)
        if self.n < 5:
            self.context.call_later(self.every, self.tick)


@proxy(id="00000000000000000000000000C0FFE2", alias="my:dial")
class Dial:
    end: Exports[Ticks]

    def tick(self, n: int) -> None:
        if n > 4:
            raise OverflowError("the dial has four marks")


@proxy(id="00000000000000000000000000C0FFE3", alias="my:sleeper")
class Sleeper:
    end: Exports[Ticks]

    def __init__(self, context: Context) -> None:
        context.call_later(0, self.sleep)

    def sleep(self) -> None:
        print('{"kind": "asleep"}', flush=True)
        time.sleep(120)

    def tick(self, n: int) -> None:
        pass


class Never:
    def __getattr__(self, name):
        if name in ("connected", "disconnected"):
            raise AttributeError(name)
        return lambda *values, **named: Reply()


@proxy(id="00000000000000000000000000C0FFE4", alias="my:mute-folder", delegates=("Endpoint",))
class MuteFolder:
    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context) -> None:
        context.serve("Endpoint", Never())
"""
STARTER = (
    "import argparse, sys; from liven.runtime.commands import run;"
    " parser = argparse.ArgumentParser(); run.configure(parser); sys.exit(run.run(parser.parse_args()))"
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MODULE)
    put(tmp_path / "clock.liveobject", Reference("my:clock"))
    put(tmp_path / "dial.liveobject", Reference("my:dial"))
    put(tmp_path / "sleeper.liveobject", Reference("my:sleeper"))
    put(tmp_path / "asked.liveobject", Reference("key", source=Reference("my:mute-folder")))
    put(tmp_path / "shelf.liveobject", Reference("liven:memory-folder"))
    return tmp_path


def put(path: Path, thing: Object) -> None:
    path.write_bytes(write(Document(thing)))


def command(place: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", STARTER, *words]


def environment(place: Path) -> dict[str, str]:
    return {**os.environ, "LIVEN_HOME": str(place / "home")}


def ran(place: Path, *words: str, until: Callable[[Lines], bool] = lambda _: False) -> tuple[int, Lines]:
    """Return the exit code and all lines of a run; interrupt it once the lines are as wanted."""
    lines: Lines = []
    with (
        (place / "complaints").open("w+") as complaints,
        subprocess.Popen(
            command(place, *words, "--json"),
            cwd=place,
            env=environment(place),
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        ) as process,
        given_up(process),
    ):
        assert process.stdout is not None
        wanted = True
        for line in process.stdout:
            lines.append(json.loads(line))
            if wanted and until(lines):
                wanted = False
                process.send_signal(signal.SIGINT)
        code = process.wait()
    assert (place / "complaints").read_text() == ""
    return code, lines


@contextmanager
def given_up(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a run that has not ended after a long time, so that the test ends as well."""
    timer = threading.Timer(120, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def of(kind: str, lines: Lines) -> Lines:
    return [line for line in lines if line["kind"] == kind]


def ticks(lines: Lines) -> list[Any]:
    return [line["values"] for line in of("event", lines) if line["event"] == "tick"]


def has_ticked(lines: Lines) -> bool:
    return len(ticks(lines)) == 5


def test_an_object_runs_for_the_given_time_and_ends(place: Path) -> None:
    code, lines = ran(place, "shelf.liveobject", "--for", "0.05")
    assert code == 0
    assert [(line["kind"], line["subject"]) for line in lines if line["kind"] != "loading"] == [
        ("running", "shelf"),
        ("ended", "shelf"),
    ]
    assert lines[-2]["endpoints"] == ["Endpoint"]


def test_events_of_an_open_endpoint_are_logged(place: Path) -> None:
    code, lines = ran(place, "clock.liveobject", "--module", "mine.py", "--log", "out", until=has_ticked)
    assert code == 0
    assert not of("problem", lines), "nobody watches without --monitor"
    assert ticks(lines) == [[{"n": number}] for number in range(1, 6)]


def test_objects_are_connected_and_a_fault_of_one_is_reported(place: Path) -> None:
    words = ["--module", "mine.py", "--connect", "clock.out", "dial.end", "--log", "clock.out"]
    code, lines = ran(
        place, "clock.liveobject", "dial.liveobject", *words, until=lambda lines: bool(of("failed", lines))
    )
    assert of("connected", lines)
    (problem,) = [line["problem"] for line in of("problem", lines)]
    assert problem["where"] == ["dial"]
    assert "OverflowError" in problem["what"]
    assert [line["subject"] for line in of("failed", lines)] == ["dial"]
    assert ticks(lines) == [[number] for number in range(1, 6)]
    assert code == 1


def test_broken_promises_are_reported_when_monitored(place: Path) -> None:
    words = ["--module", "mine.py", "--log", "out", "--monitor"]
    _, lines = ran(place, "clock.liveobject", *words, until=has_ticked)
    (problem,) = [line["problem"] for line in of("problem", lines)]
    assert problem["kind"] == "broken"
    assert "clock/out" in problem["what"]


@pytest.mark.parametrize(("endpoint", "found"), [("out", 1), ("clock.out", 1), ("face", 0), ("other.out", 0)])
def test_single_connections_can_be_monitored(place: Path, endpoint: str, found: int) -> None:
    words = ["--module", "mine.py", "--log", "out", "--monitor-at", endpoint]
    _, lines = ran(place, "clock.liveobject", *words, until=has_ticked)
    assert len(of("problem", lines)) == found


def test_an_interrupt_ends_it_in_order(place: Path) -> None:
    with subprocess.Popen(
        command(place, "shelf.liveobject"),
        cwd=place,
        env=environment(place),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "running" in line:
                process.send_signal(signal.SIGINT)
                break
        assert "shelf: ended" in process.stdout.read()
        assert process.wait(60) == 0


@contextmanager
def sleeping(place: Path) -> Iterator[subprocess.Popen[str]]:
    """Return a run whose only handler sleeps, according to its output, and goes on sleeping."""
    words = ["sleeper.liveobject", "--module", "mine.py", "--json"]
    with subprocess.Popen(
        command(place, *words), cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert any("asleep" in line for line in process.stdout)
        try:
            yield process
        finally:
            process.kill()


def test_a_second_interrupt_ends_a_run_whose_handler_is_stuck(place: Path) -> None:
    with sleeping(place) as process:
        for _ in range(300):  # two that come together are one
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.2)
                break
        assert process.returncode == -signal.SIGINT


@pytest.mark.slow
def test_a_handler_that_is_slow_is_reported_while_it_is_slow(place: Path) -> None:
    with sleeping(place) as process:
        assert process.stdout is not None
        problem = json.loads(process.stdout.readline())["problem"]
        assert process.poll() is None
    assert problem["kind"] == "slow"
    assert problem["where"][0] == "sleeper"
    assert "time.sleep(120)" in problem["detail"]


def test_an_object_that_cannot_run_is_reported_and_the_rest_runs(place: Path) -> None:
    put(place / "odd.liveobject", Reference("00000000000000000000000000C0FFEE"))
    put(place / "wrong.liveobject", Reference("liven:memory-folder", (Parameter("name", Plain("int", "3")),)))
    (place / "torn.liveobject").write_text("<Root><Object")
    names = [f"{name}.liveobject" for name in ("odd", "wrong", "torn", "shelf")]
    code, lines = ran(place, *names, "--for", "0.05")
    assert code == 1
    told = {
        line["subject"].partition("/")[0]: line for line in lines if line["kind"] in ("problem", "refused")
    }
    assert f"no object {0xC0FFEE:032X} is known here" in told["odd"]["problem"]["what"]
    assert "3 is given, but text is expected" in told["wrong"]["problem"]["what"]
    assert "line 1" in told["torn"]["what"]
    assert [line["subject"] for line in lines if line["kind"] == "running"] == ["shelf"]


def test_a_run_ends_by_itself_if_no_object_could_be_run(place: Path) -> None:
    put(place / "null.liveobject", Reference())
    assert ran(place, "null.liveobject")[0] == 1


def test_unknown_names_on_the_command_line_are_reported(place: Path) -> None:
    words = ["--connect", "shelf.Endpoint", "nobody.x", "--log", "nothing", "--for", "0.05"]
    code, lines = ran(place, "shelf.liveobject", *words)
    assert code == 1
    refused = {line["subject"]: line["what"] for line in lines if line["kind"] == "refused"}
    assert "where NAME is shelf" in refused["shelf.Endpoint nobody.x"]
    assert "no running object has such an endpoint" in refused["nothing"]


def test_a_module_that_cannot_be_loaded_stops_the_run(place: Path) -> None:
    (place / "bad.py").write_text("raise KeyError('no such luck')")
    code, lines = ran(place, "shelf.liveobject", "--module", "bad.py")
    assert code == 1
    assert "KeyError: 'no such luck'" in lines[-1]["what"]


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    run.configure(parser)
    return parser.parse_args(words)


def test_bad_use_is_code_2(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.run(parsed(str(place / "missing.liveobject"))) == 2
    assert "No such file" in capsys.readouterr().err
    assert run.run(parsed(str(place / "shelf.liveobject"), "--for", "-1")) == 2
    assert "--for takes" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--for", "--time-limit"])
@pytest.mark.parametrize("seconds", ["-1", "nan", "inf"])
def test_an_invalid_time_is_bad_use(
    place: Path, capsys: pytest.CaptureFixture[str], option: str, seconds: str
) -> None:
    assert run.run(parsed(str(place / "shelf.liveobject"), option, seconds)) == 2
    assert f"{option} takes a number of seconds" in capsys.readouterr().err


def test_the_time_starts_when_all_are_ready_and_late_objects_are_reported(place: Path) -> None:
    words = ["asked.liveobject", "shelf.liveobject", "--module", "mine.py", "--for", "0"]
    code, lines = ran(place, *words, until=lambda lines: bool(of("running", lines)))
    assert code == 1
    refused = {line["subject"]: line["what"] for line in lines if line["kind"] == "refused"}
    assert refused == {"asked": "it was not ready when the run ended"}
    assert [line["subject"] for line in lines if line["kind"] == "ended"] == ["shelf"]


def test_two_files_of_one_name_get_different_object_names(place: Path) -> None:
    (place / "other").mkdir()
    put(place / "other" / "shelf.liveobject", Reference("liven:memory-folder"))
    code, lines = ran(place, "shelf.liveobject", "other/shelf.liveobject", "--for", "0.05")
    assert code == 0
    assert {line["subject"] for line in of("running", lines)} == {"shelf", "shelf-2"}

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.app.instance.client import LONGEST, NAME, StuckError, send_files
from liven.app.instance.peer_user import StrangeFolderError
from liven.app.instance.server import InstanceServer
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher


class Program:
    """A running program, on an event loop in a thread."""

    def __init__(self, runtime: Path) -> None:
        self.opened: list[list[str]] = []
        self._ready = threading.Event()
        self._heard = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(runtime,))
        self._thread.start()
        assert self._ready.wait(60)

    def _run(self, runtime: Path) -> None:
        import asyncio

        self._loop = asyncio.new_event_loop()
        dispatcher = AsyncioDispatcher(self._loop, lambda _: None)

        def heard(files: list[str], tell: bool, safe: bool) -> list[str]:
            self.opened.append([*files, "--safe"] if safe else files)
            self._heard.set()
            return [f"{name} is broken" for name in files if tell and name.startswith("broken")]

        def begin() -> None:
            self._bell = InstanceServer(runtime, dispatcher.watch_fd, heard)
            self._ready.set()

        dispatcher.call_soon(begin)
        self._loop.run_forever()
        self._bell.close()
        dispatcher.close()
        self._loop.close()

    def wait(self) -> list[str]:
        assert self._heard.wait(60)
        self._heard.clear()
        return self.opened[-1]

    def keep(self) -> None:
        """Look after the files, as the program does each second."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(self._bell.keep)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(60)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    made.stop()


def test_without_a_running_program_there_is_no_answer(tmp_path: Path) -> None:
    assert send_files(tmp_path, ["a"]) is None
    assert send_files(tmp_path / "nowhere", ["a"]) is None


def test_files_are_handed_to_the_running_program(tmp_path: Path, program: Program) -> None:
    assert send_files(tmp_path, ["/a b.liveobject", "ü"]) == []
    assert program.wait() == ["/a b.liveobject", "ü"]
    assert send_files(tmp_path, []) == []
    assert program.wait() == []


def test_the_answer_says_what_could_not_be_opened(tmp_path: Path, program: Program) -> None:
    assert send_files(tmp_path, ["broken 1", "good", "broken ü"]) == [
        "broken 1 is broken",
        "broken ü is broken",
    ]
    assert program.wait() == ["broken 1", "good", "broken ü"]
    assert send_files(tmp_path, ["broken"], tell=False) == []


def test_the_answer_is_bounded(tmp_path: Path, program: Program) -> None:
    told = send_files(tmp_path, ["broken" + 900 * "x"] * 60)
    assert told == ["broken" + 494 * "x"] * 50
    assert len(program.wait()) == 60


def test_an_invalid_request_is_rejected(tmp_path: Path, program: Program) -> None:
    deep = b"[" * 100_000 + b"\n"
    for said in (b"nonsense\n", b'{"open": [3]}\n', b"[]\n", deep, b"x" * (LONGEST + 10)):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(tmp_path / NAME))
            try:
                caller.sendall(said)
                answer = caller.recv(100)
            except ConnectionError:
                answer = b""
            assert answer in (b"", b'{"ok": false}\n')
    assert send_files(tmp_path, ["still here"]) == []
    assert program.wait() == ["still here"]
    assert len(program.opened) == 1


def test_silent_clients_do_not_block_others(tmp_path: Path, program: Program) -> None:
    silent = [socket.socket(socket.AF_UNIX) for _ in range(40)]
    try:
        for one in silent:
            one.connect(str(tmp_path / NAME))
            one.settimeout(60)
        assert send_files(tmp_path, ["x"]) == []
        assert program.wait() == ["x"]
        assert silent[0].recv(1) == b""  # it has waited longest, and gave way
    finally:
        for one in silent:
            one.close()


def test_many_files_are_sent_in_several_requests(tmp_path: Path, program: Program) -> None:
    names = [f"liven:object,{number:03}" + "x" * 100_000 for number in range(30)]
    assert send_files(tmp_path, names) == []
    assert [name for part in program.opened for name in part] == names
    assert send_files(tmp_path, ["ü" * 100_000]) == []


def test_problems_in_any_script_are_returned(tmp_path: Path, program: Program) -> None:
    told = send_files(tmp_path, ["broken" + 900 * "\N{BLACK SQUARE}"] * 50)
    assert told == ["broken" + 494 * "\N{BLACK SQUARE}"] * 50


def never(*_: object) -> Any:
    """A watch that a server must not start, because it has no socket."""
    raise AssertionError


def test_a_folder_too_long_for_a_socket_counts_as_no_program(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    assert send_files(deep, ["x"]) is None
    with pytest.raises(OSError, match="too long"):
        InstanceServer(deep, never, lambda *_: [])


def test_a_program_that_accepts_no_connection_counts_as_stuck(tmp_path: Path) -> None:
    """The program is stopped, and its queue of connections is full."""
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.bind(str(tmp_path / NAME))
        stuck.listen(0)
        waiting = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(str(tmp_path / NAME))
        with pytest.raises(StuckError, match="end it"):
            send_files(tmp_path, ["x"], patience=0.05)
        for one in waiting:
            one.close()


def test_only_one_program_of_a_user_has_the_socket(tmp_path: Path, program: Program) -> None:
    with pytest.raises(FileExistsError, match="another program"):
        InstanceServer(tmp_path, never, lambda *_: [])
    assert send_files(tmp_path, ["x"]) == []
    assert program.wait() == ["x"]


def delete_all(runtime: Path) -> None:
    shutil.rmtree(runtime)


def delete_lock(runtime: Path) -> None:
    (runtime / f"{NAME}.lock").unlink()


def delete_socket(runtime: Path) -> None:
    (runtime / NAME).unlink()


@pytest.mark.parametrize("delete", [delete_all, delete_lock, delete_socket])
def test_a_program_whose_files_were_deleted_is_reached_again(
    tmp_path: Path, delete: Callable[[Path], None]
) -> None:
    runtime = tmp_path / "run"
    program = Program(runtime)
    for _ in range(2):
        delete(runtime)
        program.keep()
        assert send_files(runtime, ["x"]) == []
        assert program.wait() == ["x"]
        with pytest.raises(FileExistsError, match="another program"):
            InstanceServer(runtime, never, lambda *_: [])
    assert runtime.stat().st_mode & 0o077 == 0
    program.stop()
    assert not (runtime / NAME).exists()


def test_a_program_that_lost_its_place_leaves_the_socket_of_the_next_alone(tmp_path: Path) -> None:
    runtime = tmp_path / "run"
    first = Program(runtime)
    shutil.rmtree(runtime)
    second = Program(runtime)
    first.keep()
    assert send_files(runtime, ["x"]) == []
    assert second.wait() == ["x"]
    second.stop()
    first.keep()
    assert send_files(runtime, ["y"]) == []
    assert first.wait() == ["y"], "it is the server again once the other has ended"
    shutil.rmtree(runtime)
    third = Program(runtime)
    first.stop()
    assert send_files(runtime, ["z"]) == []
    third.stop()


def test_the_socket_of_a_killed_program_is_taken_over(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / NAME))
    assert send_files(tmp_path, ["x"]) is None
    program = Program(tmp_path)
    assert send_files(tmp_path, ["x"]) == []
    program.stop()
    assert not (tmp_path / NAME).exists()


def test_a_program_that_does_not_answer_counts_as_stuck(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.bind(str(tmp_path / NAME))
        stuck.listen(1)
        with pytest.raises(StuckError, match="--new-process"):
            send_files(tmp_path, ["x"], patience=0.05)


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_may_write_to_holds_no_socket(tmp_path: Path, mode: int) -> None:
    program = Program(tmp_path)
    try:
        tmp_path.chmod(mode)
        with pytest.raises(StrangeFolderError, match=f"chmod 700 {tmp_path}"):
            send_files(tmp_path, ["x"])
        with pytest.raises(StrangeFolderError, match="other users may write"):
            InstanceServer(tmp_path, never, lambda *_: [])
        assert program.opened == []
    finally:
        tmp_path.chmod(0o700)
        program.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away and become another user")
def test_the_folder_and_the_program_of_another_user_get_no_files(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 65534, 65534)
    with pytest.raises(StrangeFolderError, match="belongs to user 65534, not to you"):
        send_files(theirs, ["x"])
    with pytest.raises(StrangeFolderError, match="set LIVEN_HOME"):
        InstanceServer(theirs, never, lambda *_: [])


def test_a_program_of_another_user_at_the_socket_gets_no_files(
    tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel says who listens; here it says somebody else."""
    monkeypatch.setattr("liven.app.instance.peer_user.peer_user", lambda _: 4321)
    with pytest.raises(StrangeFolderError, match="a program of user 4321 answers at"):
        send_files(tmp_path, ["x"])
    assert program.opened == []
    monkeypatch.setattr("liven.app.instance.server.peer_user", lambda _: 4321)
    monkeypatch.setattr("liven.app.instance.client.demand_own_peer", lambda *_: None)
    with pytest.raises(StuckError):
        send_files(tmp_path, ["x"], patience=5)
    assert program.opened == []


def test_handing_over_imports_neither_qt_nor_xml() -> None:
    check = "import sys, liven.app.instance.server; print({'PySide6', 'lxml', 'numpy'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"

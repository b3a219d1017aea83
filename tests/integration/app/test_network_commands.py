"""`liven serve`, `chat`, `cp` and `top` as users start them: in processes of their own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

_PATIENCE = 40.0


class Shell:
    """Start commands for a separate user."""

    def __init__(self, home: Path) -> None:
        self._environment = {**os.environ, "LIVEN_HOME": str(home)}
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            [sys.executable, "-m", "liven.app.main", *words],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(started)
        return started

    def run(self, *words: str) -> tuple[int, str, str]:
        return finish(self.start(*words))

    def end(self) -> None:
        for started in self._started:
            started.kill()
            if started.stdout is not None and not started.stdout.closed:
                started.communicate()
        self.run("serve", "--stop")


def finish(started: subprocess.Popen[str], text: str | None = None) -> tuple[int, str, str]:
    output, complaint = started.communicate(text, timeout=_PATIENCE)
    return started.returncode, output, complaint


def await_bytes(path: Path, count: int) -> None:
    """Wait until a file has so many bytes."""
    limit = time.monotonic() + _PATIENCE
    while not path.exists() or path.stat().st_blocks * 512 < count:
        assert time.monotonic() < limit
        time.sleep(0.02)


def await_suspicion(shell: Shell) -> None:
    """Wait until the service has removed a silent member."""
    limit = time.monotonic() + _PATIENCE
    while json.loads(shell.run("serve", "--status", "--json")[1])["suspicions"] == 0:
        assert time.monotonic() < limit


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path / "home")
    yield made
    made.end()


def test_a_service_is_started_queried_and_ended(shell: Shell) -> None:
    assert shell.run("serve", "--status")[:2] == (1, "no membership service is running\n")
    assert shell.run("serve", "--daemon") == (0, "", "")
    code, output, _ = shell.run("serve", "--json")
    facts = json.loads(output)
    assert (code, facts["running"], facts["generation"], facts["members"]) == (0, True, 1, 0)
    code, _, complaint = shell.run("serve")
    assert (code, "is already running" in complaint) == (1, True)
    assert shell.run("serve", "--stop") == (0, "", "")
    assert json.loads(shell.run("serve", "--json")[1])["running"] is False
    assert shell.run("serve", "--stop")[0] == 1


def test_a_service_in_the_foreground_ends_with_a_signal(shell: Shell) -> None:
    service = shell.start("serve")
    assert service.stdout is not None
    assert service.stdout.readline().startswith("serving at ")
    assert shell.run("serve", "--status")[0] == 0
    service.send_signal(signal.SIGTERM)
    assert finish(service)[0] == 0
    assert shell.run("serve", "--status")[0] == 1


def test_an_invalid_setting_ends_with_the_usage_code(shell: Shell) -> None:
    code, _, complaint = shell.run("serve", "--cluster", "none")
    assert code == 2
    assert "--cluster is 'none'" in complaint


def await_line(started: subprocess.Popen[str], line: str) -> None:
    """Read the error output of a process until it contains `line`."""
    assert started.stderr is not None
    limit = time.monotonic() + _PATIENCE
    while started.stderr.readline() != line:
        assert time.monotonic() < limit


def test_chat_users_receive_one_anothers_lines(shell: Shell) -> None:
    ann = shell.start("chat", "room", "--name", "ann")
    await_line(ann, "-- 1 here\n")
    bob = shell.start("chat", "room", "--name", "bob")
    await_line(ann, "-- 2 here\n")
    assert finish(bob, "hello\nwith \x1b[31mcolour\n")[0] == 0
    code, output, _ = finish(ann, "good bye\n")
    assert code == 0
    assert output == "bob: hello\nbob: with \N{REPLACEMENT CHARACTER}[31mcolour\nann: good bye\n"


def test_a_typed_line_is_not_printed_again_on_a_terminal(shell: Shell) -> None:
    ann = shell.start("chat", "room", "--name", "ann", "--no-repeat")
    await_line(ann, "-- 1 here\n")
    other = shell.start("chat", "room", "--name", "ann")
    await_line(ann, "-- 2 here\n")
    code, output, _ = finish(other, "I am another\n")
    assert code == 0
    assert output == "ann: I am another\n"
    code, output, _ = finish(ann, "good bye\n")
    assert code == 0
    assert re.fullmatch(r"ann \(\d+\): I am another\n", output)


def test_files_reach_all_receivers(shell: Shell, tmp_path: Path) -> None:
    contents = {"large.bin": os.urandom(3_000_000), "small.txt": b"small", "empty": b""}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    getting = [shell.start("cp", "--get", "--into", str(folder), "files") for folder in folders]
    paths = [str(tmp_path / name) for name in contents]
    code, output, complaint = shell.run("cp", *paths, "files", "--receivers", "2")
    assert (code, output, complaint) == (0, "3 files at 2 receivers\n", "")
    for started, folder in zip(getting, folders, strict=True):
        assert finish(started)[0] == 0
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == contents


def test_an_interrupted_receiver_resumes(shell: Shell, tmp_path: Path) -> None:
    source, into = tmp_path / "large.bin", tmp_path / "into"
    source.write_bytes(os.urandom(30_000_000))
    into.mkdir()
    slow = ["--rate-cap", "10000000"]
    sender = shell.start("cp", str(source), "files", *slow)
    first = shell.start("cp", "--get", "--into", str(into), "files")
    await_bytes(into / ".large.bin.part", 5_000_000)
    first.send_signal(signal.SIGINT)
    assert finish(first)[0] == 130
    assert (into / ".large.bin.part.json").exists()
    sender.kill()
    again = shell.start("cp", "--get", "--into", str(into), "files")
    assert shell.run("cp", str(source), "files")[0] == 0
    code, output, _ = finish(again)
    assert code == 0
    assert "of them resumed" in output
    assert (into / "large.bin").read_bytes() == source.read_bytes()


def test_the_sender_goes_on_until_so_many_receivers_are_done(shell: Shell, tmp_path: Path) -> None:
    source, into = tmp_path / "large.bin", tmp_path / "into"
    source.write_bytes(os.urandom(10_000_000))
    into.mkdir()
    sender = shell.start("cp", str(source), "files", "--rate-cap", "5000000")
    first = shell.start("cp", "--get", "--into", str(into), "files")
    await_bytes(into / ".large.bin.part", 2_000_000)
    first.send_signal(signal.SIGINT)
    assert finish(first)[0] == 130
    assert shell.run("cp", "--get", "--into", str(into), "files")[0] == 0
    assert finish(sender) == (0, "1 file at 1 receiver\n", "")
    assert (into / "large.bin").read_bytes() == source.read_bytes()


def test_an_evicted_receiver_returns_and_gets_everything(shell: Shell, tmp_path: Path) -> None:
    source, into = tmp_path / "large.bin", tmp_path / "into"
    source.write_bytes(os.urandom(10_000_000))
    into.mkdir()
    assert shell.run("serve", "--daemon", "--suspicion", "2")[0] == 0
    sender = shell.start("cp", str(source), "files", "--rate-cap", "5000000")
    receiver = shell.start("cp", "--get", "--into", str(into), "files")
    await_bytes(into / ".large.bin.part", 2_000_000)
    receiver.send_signal(signal.SIGSTOP)
    await_suspicion(shell)
    receiver.send_signal(signal.SIGCONT)
    assert finish(receiver)[0] == 0
    assert finish(sender)[:2] == (0, "1 file at 1 receiver\n")
    assert (into / "large.bin").read_bytes() == source.read_bytes()


def test_an_existing_file_is_reported_to_receiver_and_sender(shell: Shell, tmp_path: Path) -> None:
    source, into = tmp_path / "file", tmp_path / "into"
    source.write_bytes(b"new")
    into.mkdir()
    (into / "file").write_bytes(b"old")
    getting = shell.start("cp", "--get", "--into", str(into), "files")
    code, output, complaint = shell.run("cp", str(source), "files")
    assert (code, "--replace" in complaint, output) == (1, True, "1 file at 0 receivers\n")
    assert finish(getting)[0] == 1
    assert (into / "file").read_bytes() == b"old"


def test_no_receiver_has_an_exit_code(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    code, _, complaint = shell.run("cp", str(tmp_path / "file"), "files", "--wait", "0.5")
    assert (code, "nobody joined" in complaint) == (1, True)
    code, _, complaint = shell.run("cp", "--get", "files", "--wait", "0.5")
    assert (code, "nobody offered" in complaint) == (1, True)


def test_too_few_receivers_have_an_exit_code(shell: Shell, tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (tmp_path / "file").write_bytes(b"x")
    getting = shell.start("cp", "--get", "--into", str(into), "files")
    code, _, complaint = shell.run("cp", str(tmp_path / "file"), "files", "--receivers", "2", "--wait", "2")
    assert (code, "1 of 2 have everything" in complaint) == (1, True)
    assert finish(getting)[0] == 0
    assert (into / "file").read_bytes() == b"x"


@pytest.mark.parametrize(
    "words",
    [
        ["only-a-group"],
        ["no-such-file", "group"],
        ["--get", "a", "b"],
        [__file__, "group", "--receivers", "0"],
        [__file__, "group", "--wait", "-1"],
    ],
)
def test_wrong_arguments_of_cp_are_reported(shell: Shell, words: list[str]) -> None:
    assert shell.run("cp", *words)[0] == 2


def test_the_help_of_cp_shows_both_forms(shell: Shell) -> None:
    code, output, _ = shell.run("cp", "--help")
    assert code == 0
    first, second = output.splitlines()[:2]
    assert first.endswith("cp [options] FILE… GROUP")
    assert second.endswith("cp --get [options] GROUP")


def test_the_status_of_one_member_is_in_the_singular(shell: Shell) -> None:
    chat = shell.start("chat", "room", "--name", "ann")
    await_line(chat, "-- 1 here\n")
    limit = time.monotonic() + _PATIENCE
    while "serves 1 member in 1 group," not in shell.run("serve", "--status")[1]:
        assert time.monotonic() < limit
    assert finish(chat, "")[0] == 0


def test_top_shows_the_engines(shell: Shell) -> None:
    chat = shell.start("chat", "room", "--name", "ann")
    await_line(chat, "-- 1 here\n")
    code, output, _ = shell.run("top", "--json", "--interval", "1")
    facts = json.loads(output)
    assert code == 0
    assert facts["service"]["members"] == 1
    assert [engine["pid"] for engine in facts["engines"]] == [chat.pid]
    assert facts["engines"][0]["names"] == ["chat:room"]
    code, output, _ = shell.run("top", "--looks", "1", "--interval", "0.2")
    assert code == 0
    assert "chat:room" in output
    assert all(len(line) <= 80 for line in output.splitlines())
    assert finish(chat, "")[0] == 0


def test_top_prints_machine_readable_output(shell: Shell, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "multicast.jsonl"
    chat = shell.start("chat", "room", "--name", "ann", "--log-file", str(log))
    await_line(chat, "-- 1 here\n")
    limit = time.monotonic() + _PATIENCE
    metrics = ""
    while f'pid="{chat.pid}"' not in metrics or "liven_service_members 1\n" not in metrics:
        assert time.monotonic() < limit
        code, metrics, _ = shell.run("top", "--openmetrics")
        assert code == 0
    assert metrics.endswith("# EOF\n")
    assert finish(chat, "")[0] == 0
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert {"service", "joined", "view", "left", "epoch"} <= {event["event"] for event in events}
    assert [event["members"] for event in events if event["event"] == "view"][:1] == [1]


def test_top_prints_the_path_of_the_dissector(shell: Shell) -> None:
    code, output, _ = shell.run("top", "--dissector")
    assert code == 0
    assert "Wireshark" in Path(output.strip()).read_text(encoding="utf-8").partition("\n")[0]


def test_an_unwritable_log_ends_with_the_environment_code(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "wall").touch()
    code, _, complaint = shell.run("chat", "room", "--log-file", str(tmp_path / "wall" / "log"))
    assert (code, "cannot be written" in complaint) == (3, True)

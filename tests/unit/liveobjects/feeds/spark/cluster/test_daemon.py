"""A process of a cluster: its messages, its end, and the end of the one that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from liven.liveobjects.feeds.spark.cluster.daemon import Daemon
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError

SHELL = "/bin/sh"


def start(tmp_path: Path, text: str) -> Daemon:
    return Daemon.start("worker 1", [SHELL, "-c", text], tmp_path / "logs" / "worker.log", os.environ)


def test_a_message_is_awaited_and_the_process_ended(tmp_path: Path) -> None:
    daemon = start(tmp_path, "echo master at spark://host:7; exec cat /dev/zero > /dev/null")
    assert daemon.wait_for(r"master at (\S+)", 60)[1] == "spark://host:7"
    assert daemon.running
    daemon.end()
    assert not daemon.running
    assert daemon.process.returncode == -signal.SIGTERM


def test_a_process_that_ends_too_early_is_said_with_its_words(tmp_path: Path) -> None:
    daemon = start(tmp_path, "echo port 7 is taken; exit 3")
    said = (
        r"the worker 1 did not start: Java ended with code 3 \(port 7 is taken\); its messages: .*worker\.log"
    )
    with pytest.raises(NoSparkError, match=said):
        daemon.wait_for("registered", 60)


def test_a_process_that_says_nothing_is_said(tmp_path: Path) -> None:
    daemon = start(tmp_path, "exec cat /dev/zero > /dev/null")
    with pytest.raises(NoSparkError, match="the worker 1 was not ready after 0 s"):
        daemon.wait_for("registered", 0)
    daemon.end()


def test_a_process_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    daemon = start(tmp_path, "trap '' TERM; echo ready; while :; do read -r _ < /dev/zero; done")
    daemon.wait_for("ready", 60)
    daemon.end(within=0)
    assert daemon.process.returncode == -signal.SIGKILL


def test_a_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    pipe, end_of_pipe = os.pipe()
    code = (
        "import os, sys; from pathlib import Path\n"
        "from liven.liveobjects.feeds.spark.cluster.daemon import Daemon\n"
        f"daemon = Daemon.start('d', ['{SHELL}', '-c', 'echo up; exec cat /dev/zero > /dev/null'],\n"
        f"    Path(sys.argv[1]), os.environ, ({end_of_pipe},))\n"
        "daemon.wait_for('up', 60); os.kill(os.getpid(), 9)\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "log")]
    ended = subprocess.run(words, pass_fds=[end_of_pipe], check=False)
    os.close(end_of_pipe)
    assert ended.returncode == -signal.SIGKILL
    with open(pipe, "rb") as rest:  # noqa: PTH123 - a descriptor
        assert rest.read() == b""  # at the end of the last process that holds the other end

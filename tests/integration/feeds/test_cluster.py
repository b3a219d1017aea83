"""A Spark cluster of a master and two workers: kills during an ingest, and the command that runs one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.integration.feeds.kill_campaign import DRIVER, PLANNER, Campaign, command, descendants
from tests.integration.feeds.point_writer import point

from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.cluster.local_cluster import LocalCluster, WorkerSize, opened_cluster
from liven.liveobjects.feeds.spark.settings_file import read_settings, write_settings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`"),
    pytest.mark.xdist_group("java"),
]
EXECUTOR, TASK, WORKER_DAEMON = "executor", "task", "worker daemon"
_PATIENCE = 600.0
_LOOK_EVERY = 0.01


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    with opened_cluster(tmp_path / "cluster") as found:
        yield found


def awaited(cluster: LocalCluster, mark: str) -> int:
    """Return a process below the cluster's own whose command has `mark`, waiting for one to appear."""
    limit = time.monotonic() + _PATIENCE
    while time.monotonic() < limit:
        below = [each for daemon in cluster.daemons for each in descendants(daemon.process.pid)]
        for process in random.sample(below, len(below)):
            if mark in command(process):
                return process
        time.sleep(_LOOK_EVERY)
    raise AssertionError(f"no process with {mark} for {_PATIENCE:.0f} s; see {cluster.folder}")


def killer(cluster: LocalCluster, mark: str) -> Callable[[], None]:
    """Return a function that kills a process of the cluster."""

    def kill() -> None:
        os.kill(awaited(cluster, mark), signal.SIGKILL)

    return kill


def replace_worker(cluster: LocalCluster) -> None:
    """Kill a worker, and start another one in its place."""
    (victim, *_) = [daemon for daemon in cluster.daemons[1:] if daemon.running]
    victim.process.kill()
    victim.process.wait()
    cluster.start_workers(1, WorkerSize())


def test_kills_of_executors_and_workers_lose_and_double_nothing(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    settings = tmp_path / "settings"
    write_settings(settings, cluster.settings)
    campaign = Campaign(
        tmp_path / "home",
        seed=1,
        master=("--conf-file", str(settings)),
        others={
            EXECUTOR: killer(cluster, "CoarseGrainedExecutorBackend"),
            TASK: killer(cluster, "worker_daemon"),
            WORKER_DAEMON: lambda: replace_worker(cluster),
        },
    )
    campaign.run([EXECUTOR, WORKER_DAEMON, TASK, EXECUTOR, PLANNER, WORKER_DAEMON, DRIVER, EXECUTOR])
    assert campaign.killed.total() == 8
    campaign.demand_each_record_once()


def words(*given: str) -> list[str]:
    return [sys.executable, "-m", "liven.app.main", "feeds", *given]


class Running:
    """`liven feeds cluster` as a program."""

    def __init__(self, home: Path, *given: str) -> None:
        self.environment = {**os.environ, "LIVEN_HOME": str(home)}
        self.process = subprocess.Popen(
            words("cluster", *given), env=self.environment, stdout=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if line.startswith("Ctrl+C"):
                return
        raise AssertionError("".join(self.lines))

    def said(self, name: str) -> str:
        """Return what it said of something."""
        (line,) = [line for line in self.lines if line.startswith(name)]
        return line.removeprefix(name).strip()

    def stop(self) -> None:
        """Stop it as a person does."""
        below = descendants(self.process.pid)
        assert below
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        with self.process.stdout as rest:
            assert rest.read() == "ending\n"
        assert self.process.wait() == 0
        assert not any("org.apache.spark" in command(process) for process in below)


def test_a_person_runs_a_cluster_uses_it_and_stops_it(home: Path) -> None:
    with LogWriter(home / "state" / "feeds" / "f" / "a") as log:
        log.extend([point(sequence) for sequence in range(300)])
    running = Running(home)
    master, folder = running.said("master"), Path(running.said("messages"))
    settings = home / "run" / "spark-cluster.conf"
    assert read_settings(settings)["spark.master"] == master
    second = subprocess.run(
        words("cluster"), env=running.environment, capture_output=True, text=True, check=False
    )
    assert (second.returncode, f"its cluster runs at {master}" in second.stderr) == (3, True)
    for job in ("ingest", "compact", "stats", "backfill"):
        answer = subprocess.run(
            words(job, "--master", master, "--no-prepare", "--json"),
            env=running.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr
    query = "select count(distinct seq) as n, count(*) as m from records"
    answer = subprocess.run(
        words("sql", query, "--conf-file", str(settings), "--no-prepare", "--json"),
        env=running.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(answer.stdout.splitlines()[-1]) == {"n": 300, "m": 300}
    assert {path.parent.name for path in folder.glob("work-*/app-*")} == {"work-1", "work-2"}
    running.stop()
    assert not settings.exists()
    assert not folder.exists()


def test_workers_of_another_computer_join_and_a_restart_keeps_the_secret(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "shared" / "cluster.conf"
    first = Running(home, "--workers", "1", "--file", str(file))
    secret = read_settings(file)["spark.authenticate.secret"]
    second = Running(tmp_path / "other", "--workers", "1", "--join", str(file))
    assert second.said("master") == first.said("master")
    registered = (Path(first.said("messages")) / "master.log").read_text().count("Registering worker")
    assert registered == 2
    first.stop()
    before = read_settings(file)
    assert before["spark.authenticate.secret"] == secret
    again = Running(home, "--workers", "1", "--file", str(file))
    assert read_settings(file) == before  # the address, too, so the worker of the other finds it again
    again.stop()
    second.stop()

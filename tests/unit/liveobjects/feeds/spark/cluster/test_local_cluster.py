"""Clusters of this computer: their settings, and real ones. Jobs on one are tested with the other jobs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from liven.liveobjects.feeds.spark.cluster.local_cluster import (
    SECRET,
    LocalCluster,
    WorkerSize,
    cluster_settings,
    opened_cluster,
)
from liven.liveobjects.feeds.spark.settings_file import MASTER
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError

needs_spark = pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`")


def test_every_cluster_has_a_secret_of_its_own() -> None:
    first, second = (cluster_settings(WorkerSize()) for _ in range(2))
    assert first["spark.authenticate"] == "true"
    assert len(first[SECRET]) == 64
    assert first[SECRET] != second[SECRET]
    assert cluster_settings(WorkerSize(), secret="kept")[SECRET] == "kept"


@pytest.mark.parametrize(
    ("host", "encrypted"), [("127.0.0.1", False), ("localhost", False), ("192.0.2.7", True)]
)
def test_what_leaves_the_computer_is_encrypted(host: str, encrypted: bool) -> None:
    assert ("spark.network.crypto.enabled" in cluster_settings(WorkerSize(), host)) is encrypted


def test_workers_take_the_python_beside_their_own() -> None:
    name = cluster_settings(WorkerSize(memory="2g"))["spark.pyspark.python"]
    assert name == f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert cluster_settings(WorkerSize(memory="2g"))["spark.executor.memory"] == "2g"


def commands() -> str:
    """Return the command lines of all processes, as every user sees them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue
    return b"\n".join(found).replace(b"\0", b" ").decode(errors="replace")


@needs_spark
@pytest.mark.slow
def test_a_cluster_comes_up_hides_its_secret_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with opened_cluster(tmp_path / "cache") as cluster:
        assert cluster.url.startswith("spark://127.0.0.1:")
        running = commands()
        assert running.count(str(cluster.folder / "settings")) == 3
        assert cluster.settings[SECRET] not in running
        log = (cluster.folder / "master.log").read_text()
        assert "MasterUI" in log
        assert "REST server" not in log  # it takes programs without the secret
        folder = cluster.folder
    assert str(folder) not in commands()
    assert not folder.exists()


@needs_spark
@pytest.mark.slow
def test_a_worker_with_another_secret_is_refused(tmp_path: Path) -> None:
    with opened_cluster(tmp_path / "cache", workers=1) as cluster:
        stranger = LocalCluster.open(
            {**cluster_settings(WorkerSize()), MASTER: cluster.url}, tmp_path / "other"
        )
        try:
            daemon = stranger._start("worker 1", _WORKER, ["--webui-port", "0", cluster.url])
            daemon.wait_for("Failed to connect to master|SaslException|Mismatched response|Unable", 120)
        finally:
            stranger.close()


_WORKER = "org.apache.spark.deploy.worker.Worker"


@needs_spark
@pytest.mark.slow
def test_a_cluster_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from liven.liveobjects.feeds.spark.cluster.local_cluster import opened_cluster\n"
        "with opened_cluster(Path(sys.argv[1]), 1) as cluster:\n"
        "    print(*(daemon.process.pid for daemon in cluster.daemons), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    pipe, end_of_pipe = os.pipe()
    words = [sys.executable, "-c", code, str(tmp_path / "cache")]
    ended = subprocess.run(words, stdout=end_of_pipe, check=False)
    os.close(end_of_pipe)
    assert ended.returncode == -signal.SIGKILL
    with open(pipe) as answer:  # noqa: PTH123 - a descriptor
        processes = [int(word) for word in answer.read().split()]
    assert len(processes) == 2
    for process in processes:
        descriptor = -1
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        with os.fdopen(descriptor) as handle:
            _wait_for_end(handle.fileno())


def _wait_for_end(descriptor: int) -> None:
    import select

    readable, _, _ = select.select([descriptor], [], [], 60)
    assert readable, "it still runs a minute later"


def test_a_cluster_without_spark_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from liven.liveobjects.feeds.spark import virtual_machine

    monkeypatch.setattr(virtual_machine, "find_spec", lambda _name: None)
    with pytest.raises(NoSparkError, match=r"pip install 'liven\[spark\]'"):
        LocalCluster.open({}, tmp_path / "cache")

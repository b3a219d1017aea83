"""A master and workers on this computer, from the installed packages alone: no script of Spark's, no Java of
the system.

Everybody who may connect to a master runs programs as its user. So a cluster has a secret, which its settings
hold: the processes read it from a file of the user, and never have it on their command lines."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.spark.cluster.daemon import Daemon
from liven.liveobjects.feeds.spark.java import Java, NoJavaError, find_java
from liven.liveobjects.feeds.spark.scratch import Scratch
from liven.liveobjects.feeds.spark.settings_file import MASTER, write_settings
from liven.liveobjects.feeds.spark.virtual_machine import (
    LOOPBACK,
    NoSparkError,
    import_roots,
    java_flags,
    search_path,
    spark_home,
)

SECRET: Final = "spark.authenticate.secret"  # noqa: S105 - the name of a setting
_MASTER_CLASS: Final = "org.apache.spark.deploy.master.Master"
_WORKER_CLASS: Final = "org.apache.spark.deploy.worker.Worker"
_HEAP: Final = "512m"
"""Masters and workers only keep books; the work is done by executors."""
_START_WITHIN: Final = 300.0
_OF_DAEMONS: Final = {
    "spark.master.rest.enabled": "false",  # it would take programs from anybody, without the secret
    "spark.ui.killEnabled": "false",  # so would the pages for people take orders
    "spark.worker.cleanup.enabled": "true",
}
_LOG_SETTINGS: Final = """\
rootLogger.level = info
rootLogger.appenderRef.a.ref = a
appender.a.type = Console
appender.a.name = a
appender.a.target = SYSTEM_ERR
appender.a.layout.type = PatternLayout
appender.a.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
"""


@dataclass(frozen=True, slots=True)
class WorkerSize:
    """The share of the computer that a worker offers."""

    cores: int = 1
    memory: str = "1g"


def cluster_settings(size: WorkerSize, host: str = LOOPBACK, secret: str = "") -> dict[str, str]:
    """Return the settings that a master, its workers and their sessions share.

    Python is named without a folder, so each worker takes the one beside its own, of the same version.
    """
    found = {
        "spark.authenticate": "true",
        SECRET: secret or secrets.token_hex(32),
        "spark.executor.memory": size.memory,
        "spark.pyspark.python": f"python{sys.version_info.major}.{sys.version_info.minor}",
    }
    if not _is_loopback(host):
        found["spark.network.crypto.enabled"] = "true"
    return found


@dataclass(slots=True)
class LocalCluster:
    """Running masters and workers. They end with it, and with the thread that started them."""

    java: Java
    settings: dict[str, str]
    host: str
    _scratch: Scratch
    daemons: list[Daemon] = field(default_factory=list)
    _workers: int = 0

    @classmethod
    def open(cls, settings: Mapping[str, str], cache: Path, host: str = LOOPBACK) -> LocalCluster:
        """Return a cluster without processes; raise NoSparkError or OSError."""
        spark_home()
        try:
            java = find_java(os.environ, cache)
        except NoJavaError as error:
            raise NoSparkError(str(error)) from None
        scratch = Scratch.make(cache)
        (scratch.folder / "log4j2.properties").write_text(_LOG_SETTINGS, encoding="utf-8")
        return cls(java, dict(settings), host, scratch)

    @property
    def folder(self) -> Path:
        """The folder of messages and of the executors' work; it is deleted at the end."""
        return self._scratch.folder

    @property
    def url(self) -> str:
        """The address of the master; empty before its start."""
        return self.settings.get(MASTER, "")

    def start_master(self, port: int = 0) -> None:
        """Start a master, which chooses a free port for 0; raise NoSparkError."""
        words = ["--host", self.host, "--port", str(port), "--webui-port", "0"]
        master = self._start("master", _MASTER_CLASS, words)
        found = master.wait_for(r"Starting Spark master at (spark://\S+)", _START_WITHIN)
        master.wait_for("New state: ALIVE", _START_WITHIN)
        self.settings[MASTER] = found[1]

    def start_workers(self, count: int, size: WorkerSize) -> list[Daemon]:
        """Start workers and wait until the master knows them; raise NoSparkError."""
        words = [
            *("--host", self.host, "--webui-port", "0"),
            *("--cores", str(size.cores), "--memory", size.memory),
        ]
        made = []
        for _ in range(count):
            self._workers += 1
            work = ["--work-dir", str(self.folder / f"work-{self._workers}")]
            name = f"worker {self._workers}"
            made.append(self._start(name, _WORKER_CLASS, [*words, *work, self.url]))
        for worker in made:
            worker.wait_for("Successfully registered with master", _START_WITHIN)
        return made

    def close(self) -> None:
        """End all processes in order, and delete what they left on the disk."""
        try:
            for daemon in reversed(self.daemons):
                daemon.ask_to_end()
            for daemon in reversed(self.daemons):
                daemon.end()
        finally:
            self._scratch.close()

    def _start(self, name: str, program: str, words: list[str]) -> Daemon:
        shared = self.folder / "settings"
        write_settings(shared, {**self.settings, **_OF_DAEMONS})
        command = [
            *(str(self.java.binary), *java_flags(self.java, 1, _HEAP)),
            f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}",
            *("-cp", f"{spark_home()}/jars/*", program, "--properties-file", str(shared), *words),
        ]
        log = self.folder / f"{name.replace(' ', '-')}.log"
        daemon = Daemon.start(name, command, log, self._environment(), (self._scratch.descriptor,))
        self.daemons.append(daemon)
        return daemon

    def _environment(self) -> dict[str, str]:
        """Return the environment of a process, which executors and their Python inherit."""
        roots = [*import_roots(), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        return {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("SPARK", "PYSPARK"))
            },
            "JAVA_HOME": str(self.java.home),
            "PATH": search_path(),
            "PYTHONPATH": os.pathsep.join(dict.fromkeys(roots)),
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_LOCAL_IP": self.host,
            "SPARK_SCALA_VERSION": _scala_version(),
        }


@contextmanager
def opened_cluster(cache: Path, workers: int = 2, size: WorkerSize | None = None) -> Iterator[LocalCluster]:
    """Run a cluster on loopback for a while; raise NoSparkError or OSError."""
    size = size or WorkerSize()
    cluster = LocalCluster.open(cluster_settings(size), cache)
    try:
        cluster.start_master()
        cluster.start_workers(workers, size)
        yield cluster
    finally:
        cluster.close()


def _scala_version() -> str:
    """Return the version of Scala for which Spark was built. A worker would look for folders of a build."""
    names = [path.name for path in (spark_home() / "jars").glob("spark-core_*.jar")]
    match = re.match(r"spark-core_([\d.]+)-", names[0]) if names else None
    if match is None:
        raise NoSparkError(
            f"{spark_home()}: pyspark lacks its jars; install it again: pip install 'liven[spark]'"
        )
    return match[1]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

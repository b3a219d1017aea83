"""A Spark session of our own: Java started by us, settings that suit feeds, an orderly end.

A process has one session at a time. `open_session` starts Java (or joins a Spark Connect server, which needs
none here) and returns a `Session`. Jobs take its `spark`, which has the data source `liven`, and return
DataFrames; or its `context`, for work in Spark's workers without a query, which begins a second earlier."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from liven.liveobjects.feeds.spark.java import NoJavaError, find_java
from liven.liveobjects.feeds.spark.scratch import Scratch
from liven.liveobjects.feeds.spark.server_address import STANDALONE, local_address_towards
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.startup_cache import StartupCache
from liven.liveobjects.feeds.spark.virtual_machine import (
    END_WITHIN,
    LOOPBACK,
    NoSparkError,
    VirtualMachine,
    VirtualMachineEndedError,
    java_flags,
    spark_home,
)

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_CALL_FAILED: Final = "An error occurred while calling"
_CAUSE: Final = "Caused by: "
PYTHON: Final = "spark.pyspark.python"
"""The setting for the Python of workers, where it is not at the same place as ours."""
_SAID_AFTER: Final = 5.0
_LOOK_EVERY: Final = 0.1
_END_SEEN_WITHIN: Final = 5.0
"""Seconds in which Java's end is noticed after it has closed its connections."""
Steps = Callable[[str, str], None]
"""A function that hears each step of a start: the kind of event, and its text."""
_LOST: Final = ("refused", "reset by peer", "broken pipe", "answer from java side is empty", "network error")


@dataclass(slots=True)
class Session:
    """A running session and the Java below it."""

    settings: SparkSettings
    context: SparkContext | None
    """None with a Spark Connect server, as the next two."""
    machine: VirtualMachine | None
    cache: StartupCache | None
    _scratch: Scratch
    _spark: SparkSession | None = None
    _making: threading.Lock = field(default_factory=threading.Lock)

    @property
    def spark(self) -> SparkSession:
        """The session for queries, with the data source `liven`; it is made when it is first needed, which
        takes a second."""
        with self._making:
            if self._spark is None:
                self._spark = _with_source(_builder().getOrCreate())  # takes the context that runs
            return self._spark

    @property
    def partitions(self) -> int | None:
        """The number of tasks that suits the cluster; None if it is not known, or for this computer."""
        if self.context is None or self.settings.local:
            return None
        return int(self.context.defaultParallelism)

    def close(self, within: float = END_WITHIN) -> None:
        """End the session and Java in order, and delete what they left on the disk. Java is killed after so
        many seconds."""
        try:
            if self.context is None or self.machine is None:
                self.spark.stop()
            else:
                _stop_classic(self._spark or self.context, self.machine, within)
        finally:
            self._scratch.close()

    def demand_running(self, error: Exception | None = None) -> None:
        """Raise VirtualMachineEndedError if Java has ended, and NoSparkError if a cluster has ended the
        session. Given the error of a lost connection, wait a moment for Java's end, which comes after it."""
        if self.machine is None:
            return
        if error is not None and _is_lost_connection(error):
            self.machine.wait(_END_SEEN_WITHIN)
        if not self.machine.running:
            raise VirtualMachineEndedError(self.machine.reason_of_end())
        refusal = "" if self.settings.local else self.machine.reason_of_refusal()
        if refusal:
            raise NoSparkError(f"{self.settings.master}: {refusal}; Java's messages: {self.machine.log}")

    def cancel(self) -> None:
        """Stop the jobs that run now; each raises an error in its own thread."""
        with suppress(Exception):  # Java may just have ended
            if self.context is None:
                self.spark.interruptAll()
            else:
                self.context.cancelAllJobs()


def _is_lost_connection(error: Exception) -> bool:
    return isinstance(error, OSError | EOFError) or any(word in str(error).lower() for word in _LOST)


@contextmanager
def opened_session(
    settings: SparkSettings, cache: Path, log: Path, *, keep: Sequence[int] = ()
) -> Iterator[Session]:
    """Open a session for a while."""
    session = open_session(settings, cache, log, keep=keep)
    try:
        yield session
    finally:
        session.close()


def open_session(
    settings: SparkSettings,
    cache: Path,
    log: Path,
    *,
    keep: Sequence[int] = (),
    draft: Path | None = None,
    said: Steps = lambda _step, _text: None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Session:
    """Open a session; raise NoSparkError.

    `cache` is a folder for what can be made again, `log` takes Java's messages, and Java holds the
    descriptors in `keep`. With `draft`, Java writes a startup cache there at its end. `said` hears each step.
    `meanwhile` is called while Java starts, for imports.
    """
    spark_home()
    if settings.remote:
        said("start", f"connecting to {settings.remote}")
        return _open_remote(settings, cache)
    address = LOOPBACK if settings.local else local_address_towards(settings.master)
    scratch = Scratch.make(cache)
    try:
        conf = settings.spark_conf(scratch.folder, address)
        session = _open_classic(settings, conf, cache, log, scratch, keep, draft, said, meanwhile)
    except BaseException:
        scratch.close()
        raise
    try:
        _wait_for_workers(session, said)
    except BaseException:
        session.close()
        raise
    return session


def _open_classic(
    settings: SparkSettings,
    conf: Mapping[str, str],
    cache: Path,
    log: Path,
    scratch: Scratch,
    keep: Sequence[int],
    draft: Path | None,
    said: Steps,
    meanwhile: Callable[[], object],
) -> Session:
    def imports() -> None:
        _import_pyspark()
        meanwhile()

    try:
        java = find_java(os.environ, cache)
    except NoJavaError as error:
        raise NoSparkError(str(error)) from None
    flags = java_flags(java, settings.cores, settings.conf.get("spark.driver.memory", "1g"))
    prepared = StartupCache.of(cache, java, flags)
    more = prepared.flags() if draft is None else prepared.training_flags(draft)
    said("java", f"starting Java {java.version}{', prepared' if prepared.exists and draft is None else ''}")
    machine = VirtualMachine.start(
        java,
        [*flags, *more],
        conf,
        log,
        scratch=scratch.folder,
        keep=(*keep, scratch.descriptor),
        meanwhile=imports,
    )
    try:
        said("spark", f"starting Spark{f' on {settings.master}' if settings.master else ''}")
        context = _connect(machine, conf)
    except BaseException:
        machine.forget()
        machine.end()
        raise
    return Session(settings, context, machine, prepared, scratch)


def _import_pyspark() -> None:
    """Import all of pyspark that the first calls of Java need: py4j asks a class of pyspark about each
    argument, which imports `pyspark.testing`, and that imports pandas."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyspark imports what newer versions of Python and pandas deprecate
        import pyspark.testing.utils  # noqa: F401


def _connect(machine: VirtualMachine, conf: Mapping[str, str]) -> SparkContext:
    from pyspark import SparkConf, SparkContext

    machine.announce()
    logging.getLogger().addFilter(_is_not_of_py4j)  # once: adding it again does nothing
    os.environ["PYSPARK_PYTHON"] = conf.get(PYTHON, sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.pop("SPARK_HOME", None)
    try:
        return SparkContext.getOrCreate(SparkConf().setAll(list(conf.items())))
    except Exception as error:
        if not machine.running:
            raise NoSparkError(f"Spark did not start: {machine.reason_of_end()}") from error
        why = machine.reason_of_refusal() or first_line(error)
        raise NoSparkError(f"Spark did not start: {why}; its messages: {machine.log}") from error


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    """Return False for a message that py4j gives to the root logger: the whole stack of an error that it
    raises as well."""
    return "py4j" not in Path(record.pathname).parts


def _wait_for_workers(session: Session, said: Steps) -> None:
    """Wait until a standalone master has given the session an executor; a job would wait without a word."""
    master = session.settings.master
    if not master.startswith(STANDALONE):
        return
    context: Any = session.context
    tracker = context._jsc.sc().statusTracker()
    begun, told = time.monotonic(), False
    while len(tracker.getExecutorInfos()) < _WITH_DRIVER:
        session.demand_running()
        if not told and time.monotonic() > begun + _SAID_AFTER:
            said("waiting", _NO_WORKER.format(master, session.settings.executor_memory))
            told = True
        time.sleep(_LOOK_EVERY)


_WITH_DRIVER: Final = 2
"""The tracker counts the driver as an executor."""
_NO_WORKER: Final = "waiting for a worker of {}: it must start, have {} of memory, and reach this computer"


def _open_remote(settings: SparkSettings, cache: Path) -> Session:
    if find_spec("grpc") is None:  # pyspark ends the whole process for that in some cases
        raise NoSparkError("a Spark Connect server needs more packages: pip install 'liven[connect]'")
    local_address_towards(settings.remote)
    try:
        builder = _builder().remote(settings.remote)
        for key, value in settings.conf.items():
            builder = builder.config(key, value)
        spark = _with_source(builder.getOrCreate())
    except Exception as error:
        raise NoSparkError(f"{settings.remote} gave no session: {first_line(error)}") from error
    return Session(settings, None, None, None, Scratch.make(cache), spark)


def _builder() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyspark imports what newer versions of Python and pandas deprecate
        from pyspark.logger import PySparkLogger
        from pyspark.sql import SparkSession
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)  # the raised error says as much
    return SparkSession.builder


def _with_source(spark: SparkSession) -> SparkSession:
    from liven.liveobjects.feeds.spark.data_source.source import LivenSource

    spark.dataSource.register(LivenSource)
    return spark


def _stop_classic(spark: SparkSession | SparkContext, machine: VirtualMachine, within: float) -> None:
    from pyspark import SparkContext

    with suppress(Exception):  # Java may have ended before
        spark.stop()
    gateway: Any = SparkContext._gateway
    if gateway is not None:
        with suppress(Exception):
            gateway.shutdown()
    statics: Any = SparkContext
    statics._gateway = statics._jvm = None  # so that the next session of this process takes its own Java
    machine.forget()
    machine.end(within)


def first_line(error: BaseException) -> str:
    """Return the first line of an error that says something: Spark's go on with the whole stack of Java.

    An error of a job begins with the call that failed; the last cause in its stack says why.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    if not lines[0].startswith(_CALL_FAILED):
        return lines[0]
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    return [*lines[1:2], *causes][-1].lstrip(": ") if len(lines) > 1 else lines[0]

"""All checks of the doctor. Each is a function that returns findings and never raises."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from liven.app.doctor.association import examine_association
from liven.app.doctor.display import examine_display
from liven.app.doctor.finding import Finding, State
from liven.app.doctor.network import examine_interfaces, examine_multicast
from liven.app.doctor.network_reachability import examine_reach
from liven.app.log_file import KEPT, LARGEST, log_path
from liven.runtime.sandbox import Protection
from liven.runtime.user_folders import UserFolders

Examination = Callable[[Mapping[str, str], UserFolders], Finding]
OLDEST_PYTHON = (3, 11)
_GET_SPARK = (
    "make build installs it with a Java; only the archive of feeds needs it, and everything else works"
)


def examine(environment: Mapping[str, str], folders: UserFolders) -> Iterator[Finding]:
    """Yield each finding as soon as it is known."""
    for subject, examination in _ROUNDS:
        try:
            yield examination(environment, folders)
        except Exception as error:
            yield Finding(subject, State.BROKEN, f"the check itself failed: {error!r}", "please report this")


def _examine_python(_environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    detail = f"{platform.python_implementation()} {platform.python_version()} in {Path(sys.prefix).name}"
    if sys.version_info >= OLDEST_PYTHON:
        return Finding("Python", State.OK, detail)
    return Finding("Python", State.BROKEN, detail, "install Python 3.11 or newer")


def _examine_core(_environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    try:
        from liven.multicast import core_version
    except ImportError as error:
        return Finding(
            "C core",
            State.BROKEN,
            f"does not load: {error}",
            "rebuild it: make build",
        )
    return Finding("C core", State.OK, f"version {core_version()}")


def _examine_java(environment: Mapping[str, str], folders: UserFolders) -> Finding:
    from importlib.util import find_spec

    from liven.liveobjects.feeds.spark.java import NoJavaError, find_java

    if find_spec("pyspark") is None:
        return Finding(
            "Spark",
            State.MISSING,
            "pyspark is not installed, so feeds are not archived",
            _GET_SPARK,
        )
    try:
        java = find_java(environment, folders.cache / "spark")
    except (NoJavaError, OSError) as error:
        return Finding("Spark", State.MISSING, str(error), _GET_SPARK)
    return Finding("Spark", State.OK, f"pyspark with Java {java.version} ({java.origin}, {java.home})")


def _examine_confinement(_environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    protection = Protection.of_this_kernel()
    if not protection.missing:
        return Finding("Confinement", State.OK, str(protection))
    detail = f"{protection}; objects of libraries that you have not installed do not run"
    return Finding(
        "Confinement", State.MISSING, detail, "install those that you trust: liven library add PATH"
    )


def _examine_folders(_environment: Mapping[str, str], folders: UserFolders) -> Finding:
    bad = [f"{name} {path}: {why}" for name, path in folders.items() if (why := _unwritable(path))]
    if bad:
        fix = "make the folder writable, or set LIVEN_HOME to another one"
        return Finding("Folders", State.BROKEN, "; ".join(bad), fix)
    return Finding(
        "Folders", State.OK, f"writable: {', '.join(f'{name} {path}' for name, path in folders.items())}"
    )


def _examine_log(_environment: Mapping[str, str], folders: UserFolders) -> Finding:
    path = log_path(folders)
    state = "" if path.exists() else "; not written yet"
    return Finding("Log file", State.OK, f"{path} (at most {LARGEST * (KEPT + 1) // 10**6} MB){state}")


def _unwritable(target: Path) -> str:
    """Return the reason why nothing can be written below `target`; empty if it can. Leaves nothing behind."""
    try:
        while not target.exists():
            target = target.parent
        with tempfile.TemporaryFile(dir=target):
            return ""
    except OSError as error:
        return error.strerror or str(error)


_ROUNDS: tuple[tuple[str, Examination], ...] = (
    ("Python", _examine_python),
    ("C core", _examine_core),
    ("Window", examine_display),
    ("Multicast", examine_multicast),
    ("Interfaces", examine_interfaces),
    ("Network", examine_reach),
    ("Confinement", _examine_confinement),
    ("Folders", _examine_folders),
    ("Log file", _examine_log),
    ("Spark", _examine_java),
    ("File association", examine_association),
)

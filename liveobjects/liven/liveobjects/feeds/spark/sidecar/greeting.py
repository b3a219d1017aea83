"""The first message of the resident process, and the other words that it shares with its clients."""

from __future__ import annotations

import os
from typing import Any, Final

from liven.liveobjects.feeds.spark.runner import Places
from liven.liveobjects.feeds.spark.settings import SparkSettings

STOP: Final = "stop"
WHY: Final = "why"
"""The argument of `STOP` with the reason, which the process prints."""
STATUS: Final = "status"
RESTART: Final = -1
"""The code of a job whose Java ended: the client does it in a session of its own."""
PROCESS: Final = "process"


def greeting(version: str, settings: SparkSettings, places: Places) -> dict[str, Any]:
    """Return the first message. A client whose own differs, save in the process, does not use that
    process."""
    return {
        "event": "hello",
        PROCESS: os.getpid(),
        "version": version,
        "master": settings.master,
        "remote": settings.remote,
        "conf": dict(settings.conf),
        "feeds": str(places.feeds),
        "tables": str(places.tables),
    }


def fits(theirs: dict[str, Any], ours: dict[str, Any]) -> bool:
    """Return True if both speak of the same version, settings and folders."""
    return {**theirs, PROCESS: 0} == {**ours, PROCESS: 0}

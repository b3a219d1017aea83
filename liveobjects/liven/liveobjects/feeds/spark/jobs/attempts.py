"""Trying a step of a job again after a failure that may pass, such as a killed worker."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.spark.jobs.job import CancelledError, JobContext, JobError
from liven.liveobjects.feeds.spark.session import first_line
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError
from liven.liveobjects.feeds.table.commits.staged_files import delete_staging

ATTEMPTS: Final = 4
_NO_SPACE: Final = "No space left on device"


def attempted(context: JobContext, step: Callable[[], None]) -> None:
    """Do a step that changes nothing until its end, up to four times.

    A dead process of Spark's (a planner, a worker) fails only the query. Raises JobError after the last
    attempt, VirtualMachineEndedError if Java has ended, and OSError for a full disk at once."""
    for attempt in range(1, ATTEMPTS + 1):
        context.check()
        try:
            step()
        except (FeedError, OSError, NoSparkError, CancelledError, JobError):
            raise
        except Exception as error:
            context.check()
            delete_staging(context.layout)
            if _NO_SPACE in str(error):
                root = str(context.layout.root)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), root) from error
            if attempt == ATTEMPTS:
                raise JobError(f"Spark failed {ATTEMPTS} times: {first_line(error)}") from error
            context.tell("retry", attempt=attempt, text=first_line(error))
        else:
            return

"""The exit codes of the `liven` commands, listed here once."""

from __future__ import annotations

from typing import Final

OK: Final = 0
"""The command did what was asked."""
NO: Final = 1
"""The answer is no: a check failed, a file holds no object, a branch was not merged."""
BAD_USE: Final = 2
"""The arguments or settings are invalid, or name a file that cannot be read."""
ENVIRONMENT: Final = 3
"""This machine lacks something: a display, disk space, a program that answers."""

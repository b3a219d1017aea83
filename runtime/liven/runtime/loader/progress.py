"""The progress messages of a loader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from liven.runtime.problems import Path


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a dereference that has begun."""

    where: Path
    what: str
    built: int
    """The number of proxies that run already."""


OnProgress: TypeAlias = Callable[[Progress], object]

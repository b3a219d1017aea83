"""The original's simulations of irregular overlap (H1 to H4), calculated with the core's own split.

Its words, "10 % of the groups, using Zipf popularity with parameter 1.5", are read as follows: each node
draws a tenth as many times as there are groups, and repeated draws count once; the number of groups of a
popularity falls as the popularity to the power of -1.5, so the weight of a group is its rank to the power
of -2; groups may overlap in one hierarchy if no region gets smaller than two nodes. docs/overlap.md gives
the reasons, and the results of other readings.
"""

from __future__ import annotations

import functools
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from service import build, run

LOOSE, STRICT = (1, 2), (0, 1)
APART = (0, 2**32 - 1)
"""Nothing is ever large enough: each group has a hierarchy of its own."""
GRID = tuple((nodes, groups) for nodes in (250, 1000, 2000) for groups in (1000, 5000, 10000))
LARGE, SMALL = (2000, 10000), (250, 1000)


@functools.cache
def _folder() -> Path:
    """Return the folder with the built program; it exists as long as this process."""
    holder = tempfile.TemporaryDirectory()
    _folder.__dict__["holder"] = holder
    build(Path(holder.name))
    return Path(holder.name)


@functools.cache
def _split(size: tuple[int, int], rule: tuple[int, int], seed: int) -> dict[str, float]:
    return run(_folder(), "service_split", *size, *rule, seed, 1, 20)


def _mean(name: str, rule: tuple[int, int], seed: int) -> float:
    return statistics.mean(_split(size, rule, seed)[name] for size in GRID)


def h1(seed: int, control: bool) -> float:
    """Regions a node is in, mean over the sizes."""
    return _mean("regions_of_a_node", STRICT if control else LOOSE, seed)


def h1n(seed: int, _control: bool) -> float:
    """The same at the largest size over that at the smallest."""
    large, small = (_split(size, LOOSE, seed)["regions_of_a_node"] for size in (LARGE, SMALL))
    return large / small


def h2(seed: int, control: bool) -> float:
    """Share of a node's traffic in its top two regions."""
    return _split(LARGE, APART if control else LOOSE, seed)["traffic_in_top_two"]


def h3(seed: int, _control: bool) -> float:
    """Share of the groups that are in five regions or fewer."""
    return _split(LARGE, LOOSE, seed)["in_five_regions"]


def h3m(seed: int, _control: bool) -> float:
    """Members of a region, mean over the sizes."""
    return _mean("members_of_a_region", LOOSE, seed)


def h4(seed: int, _control: bool) -> float:
    """Groups over regions."""
    return _split(LARGE, LOOSE, seed)["compression"]


def h4t(seed: int, _control: bool) -> float:
    """Regions a message goes to."""
    return _split(LARGE, LOOSE, seed)["transmissions"]


OVERLAP: dict[str, Callable[[int, bool], float]] = {
    "H1": h1,
    "H1n": h1n,
    "H2": h2,
    "H3": h3,
    "H3m": h3m,
    "H4": h4,
    "H4t": h4t,
}

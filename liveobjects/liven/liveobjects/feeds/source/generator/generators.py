"""The generators by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from liven.liveobjects.feeds.source.generator.airspace import Airspace
from liven.liveobjects.feeds.source.generator.earthquakes import Earthquakes
from liven.liveobjects.feeds.source.generator.invention import Generator
from liven.liveobjects.feeds.source.generator.quotes import Quotes

Make = Callable[[int, int], Generator]
GENERATORS: Final[Mapping[str, Make]] = {
    "airspace": Airspace,
    "quotes": Quotes,
    "earthquakes": Earthquakes,
}
COUNTS: Final[Mapping[str, int]] = {"airspace": 100, "quotes": 20, "earthquakes": 20}
"""Aircraft, symbols, and earthquakes an hour that are made unless somebody asks for another number."""
COUNTED: Final[Mapping[str, str]] = {
    "airspace": "aircraft",
    "quotes": "symbols",
    "earthquakes": "earthquakes an hour, aftershocks aside",
}

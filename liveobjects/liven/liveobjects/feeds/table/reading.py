"""A type of a feed for reading: its name in the records, its structure, and its columns in the table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sealing:
    """The place of sealed values, and of the keys that open them."""

    keys: str
    """The path of the file with the keys: the keys themselves stand in no plan and no option of Spark."""
    channel: str
    types: tuple[str, ...]
    """The names of the types of sealed values in the records."""
    states: bool | None
    """True for the states on the channel, False for the messages, None for everything."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One type as a feed has it, and the columns that take its values."""

    type: str
    """The name in the records."""
    notation: str
    """Its structure."""
    names: Mapping[str, str]
    """For each column of the type, its name in the table."""
    sealing: Sealing | None = None
    """Where values of the type are sealed; None for those in clear. Rows have the name of the opened type."""

    @staticmethod
    def dump(readings: Sequence[Reading]) -> str:
        """Return readings as a text for an option of the data source."""
        return json.dumps([asdict(one) for one in readings])

    @staticmethod
    def load(text: str) -> list[Reading]:
        """Return the readings in such a text; raise ValueError."""
        return [_reading(**each) for each in json.loads(text)]


def _reading(
    type: str,  # noqa: A002 - the name of the field
    notation: str,
    names: Mapping[str, str],
    sealing: Mapping[str, Any] | None,
) -> Reading:
    if sealing is None:
        return Reading(type, notation, names)
    return Reading(type, notation, names, Sealing(**{**sealing, "types": tuple(sealing["types"])}))

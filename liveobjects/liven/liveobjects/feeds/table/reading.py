"""A type of a feed for reading: its name in the records, its structure, and its columns in the table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """One type as a feed has it, and the columns that take its values."""

    type: str
    """The name in the records."""
    notation: str
    """Its structure."""
    names: Mapping[str, str]
    """For each column of the type, its name in the table."""

    @staticmethod
    def dump(readings: Sequence[Reading]) -> str:
        """Return readings as a text for an option of the data source."""
        return json.dumps([[one.type, one.notation, dict(one.names)] for one in readings])

    @staticmethod
    def load(text: str) -> list[Reading]:
        """Return the readings in such a text; raise ValueError."""
        return [Reading(type_, notation, names) for type_, notation, names in json.loads(text)]

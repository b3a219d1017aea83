"""A store in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.testing import BreakableStore


@pytest.fixture
def breakable(tmp_path: Path) -> Iterator[BreakableStore]:
    made = BreakableStore(tmp_path / "store")
    yield made
    made.crash()

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.palette.new_objects import KINDS, Kind
from liven.liveobjects.channel.testing import Processes
from liven.runtime.process.installation import Installation
from liven.runtime.reference.model import Reference, name_of
from liven.runtime.reference.xml import read, write
from liven.runtime.user_folders import UserFolders


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_new_object_runs_and_differs_from_the_last(kind: Kind, tmp_path: Path) -> None:
    with Processes() as house:
        there = {"011E83FA6A9F426993BB8EF26FF7D7B8": Reference("liven:communication")}
        Installation.learn(house.known, UserFolders.below(tmp_path), house.problems.append, defaults=there)
        one, other = kind.make("My own"), kind.make("My own")
        assert name_of(one) == "My own"
        assert read(write(one)).object == one
        assert one != other
        made = house.process().load(one)
        house.advance(2)
        assert any(end.type.local == "UI" for end in made.handle.endpoints.values())

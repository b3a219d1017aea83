"""A recipe of something else neither takes over a feed nor deletes from it unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.recorder.stage import NAME, Recorder

from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.feed_folder import DESCRIPTION
from liven.liveobjects.feeds.recorder import object as recorder_object
from liven.liveobjects.feeds.recorder.same_object import (
    MOST_RECIPE,
    LargeRecipeError,
    OtherObjectError,
    demand_same_object,
)
from liven.liveobjects.feeds.recorder.stream.object_stream import replayed_recipe
from liven.liveobjects.feeds.recorder.target.targets import TargetFinder
from liven.runtime.capability import CapabilityKind
from liven.runtime.reference.model import NAME as CALLED
from liven.runtime.reference.model import Attribute, Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact

FINDER = TargetFinder("home", None)
SCORE = shared("liven:shared-counter", "Score", channel_reference(NAME))
LAMP = Reference("test:sensor", attributes=(Attribute(CALLED, "hall/lamp"),))


def test_a_feed_of_another_object_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    feed = tmp_path / "board"
    with Processes() as processes:
        eve = processes.process("eve")
        Recorder(eve, feed, SCORE, title="Mine").close(processes)
        before = (feed / DESCRIPTION).read_bytes()
        with pytest.raises(OtherObjectError, match="the feed board records another object, “Score”; record"):
            Recorder(eve, feed, channel_reference("home/f/other"), title="Theirs")
        processes.settle()
        assert (feed / DESCRIPTION).read_bytes() == before


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (SCORE, shared("liven:shared-counter", "Points", channel_reference(NAME))),
        (replayed_recipe(LAMP, "liven:int64"), LAMP),
    ],
    ids=["a new name", "a stream"],
)
def test_an_object_whose_recipe_changed_is_the_same(before: Object, now: Object) -> None:
    demand_same_object("board", FeedDescription(recipe=compact(before)), now, FINDER)


def test_a_recipe_that_no_description_holds_is_refused(tmp_path: Path) -> None:
    large = Reference("test:sensor", (Parameter("text", Plain("string", "x" * MOST_RECIPE)),))
    with pytest.raises(LargeRecipeError, match="the limit is"):
        demand_same_object("board", read_description(tmp_path), large, FINDER)


def test_a_feed_that_there_is_and_a_limit_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    states = recorder_object.Recorder.capabilities
    assert states("board") == ()
    path = tmp_path / "state" / "feeds" / "board"
    wanted = [(kind, str(path)) for kind in (CapabilityKind.READ_FOLDER, CapabilityKind.WRITE_FOLDER)]
    assert [(one.kind, one.subject) for one in states("board", keep="1k")] == wanted
    path.mkdir(parents=True)
    assert [(one.kind, one.subject) for one in states("board")] == wanted

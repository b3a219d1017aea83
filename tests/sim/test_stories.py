"""Every story in tests/sim/stories is told, and its log compared line by line.

After a change that is meant, `python tests/sim/test_stories.py` writes the logs anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.multicast.story import parse, play, rewrite

STORIES = sorted(Path(__file__).with_name("stories").glob("*.txt"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_story_is_told_as_written(path: Path) -> None:
    script, expected = parse(path.read_text(encoding="utf-8"))
    told = play(script)
    assert told.breaches == ()
    assert "\n".join(told.log) == "\n".join(expected)


def test_there_are_stories_and_each_begins_with_what_it_shows() -> None:
    assert len(STORIES) >= 10
    for path in STORIES:
        assert path.read_text(encoding="utf-8").startswith("# "), f"{path.name} does not say what it shows"


if __name__ == "__main__":
    for story in STORIES:
        story.write_text(rewrite(story.read_text(encoding="utf-8")), encoding="utf-8")

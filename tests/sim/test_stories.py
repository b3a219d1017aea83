"""Play every story in tests/sim/stories and compare its log line by line.

After an intended change, `python tests/sim/test_stories.py` rewrites the logs; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.multicast.story import parse, play, rewrite

STORIES = sorted(Path(__file__).with_name("stories").glob("*.txt"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_story_gives_its_expected_log(path: Path) -> None:
    script, expected = parse(path.read_text(encoding="utf-8"))
    told = play(script)
    assert told.breaches == ()
    assert "\n".join(told.log) == "\n".join(expected)


def test_every_story_begins_with_a_comment() -> None:
    assert len(STORIES) >= 10
    for path in STORIES:
        assert path.read_text(encoding="utf-8").startswith("# "), f"{path.name} does not say what it shows"


if __name__ == "__main__":
    for story in STORIES:
        story.write_text(rewrite(story.read_text(encoding="utf-8")), encoding="utf-8")

from __future__ import annotations

import pytest

from liven.multicast.story import StoryError, parse, play, rewrite

SHORT = """
# Two friends.
seed 4
nodes A B
all join chat
run 2 s
forget
A sends hello to chat
run 100 ms

=
    0 ms  nobody says this
"""


def test_a_story_is_a_script_and_a_log() -> None:
    script, log = parse(SHORT)
    assert script[0] == "seed 4"
    assert script[-1] == "run 100 ms"
    assert log == ("0 ms  nobody says this",)


def test_the_log_of_a_story_is_what_happened() -> None:
    told = play(parse(SHORT)[0])
    assert [line.split("  ", 1)[1] for line in told.log if "gets" in line] == [
        "A gets hello of A in chat, number 1",
        "B gets hello of A in chat, number 1",
    ]
    assert told.breaches == ()


def test_a_story_played_twice_gives_the_same_log() -> None:
    script = parse(SHORT)[0]
    assert play(script) == play(script)


def test_a_rewritten_story_has_the_current_log() -> None:
    script, log = parse(rewrite(SHORT))
    assert play(script).log == log


def test_many_messages_are_logged_as_one_line_for_each_receiver() -> None:
    told = play(("nodes A B", "all join chat", "run 2 s", "forget", "A sends 50 x 100 to chat", "run 500 ms"))
    assert any(line.endswith("B has 1 to 50 of A in chat") for line in told.log)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A dances", "no such sentence"),
        ("Z joins chat", "there is no node Z"),
        ("A sends x to nowhere", "there is no"),
        ("run fast", "no such sentence"),
        ("B loses 2 letters", "no such sentence"),
    ],
)
def test_an_invalid_line_is_reported_with_its_reason(line: str, why: str) -> None:
    with pytest.raises(StoryError, match=why) as caught:
        play(("nodes A B", line))
    assert caught.value.line == line or line.startswith("Z")

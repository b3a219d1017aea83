from __future__ import annotations

import pytest

from liven.types.explanation import Deferred, Explanation

LEAF = Explanation(False, "text does not fit int32", subject="x")
TREE = Explanation(
    False, "no match", (Explanation(True, "fine"), Explanation(False, "event", (LEAF,), "Send"))
)


def test_an_explanation_is_as_true_as_its_answer() -> None:
    assert Explanation(True, "yes")
    assert not TREE


def test_failures_are_the_innermost_claims_with_their_path() -> None:
    assert list(TREE.failures()) == [(("Send", "x"), LEAF)]


def test_rendering_shows_only_what_failed_unless_asked_for_all() -> None:
    assert TREE.render() == "✗ no match\n  ✗ event\n    ✗ text does not fit int32"
    assert "✓ fine" in TREE.render(full=True)


def test_a_deferred_tree_is_grown_once_and_only_when_looked_at() -> None:
    grown: list[int] = []

    def grow() -> Explanation:
        grown.append(1)
        return TREE

    answer = Deferred(False, grow)
    assert not answer
    assert not grown
    assert answer.render() == TREE.render()
    assert list(answer.failures()) == list(TREE.failures())
    assert answer.left == answer.right == answer.subject == ""
    assert grown == [1]


def test_a_deferred_tree_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError, match="verdict"):
        _ = Deferred(True, lambda: Explanation(True, "yes")).verdict


def test_an_answer_becomes_a_reason_under_the_name_of_a_part() -> None:
    answer = Deferred(False, lambda: TREE).about("Channel")
    assert answer.claim == "Channel: no match"
    assert [path for path, _ in answer.failures()] == [("Channel", "Send", "x")]


def test_a_deferred_answer_is_an_explanation() -> None:
    assert isinstance(Deferred(True, lambda: Explanation(True, "yes")), Explanation)

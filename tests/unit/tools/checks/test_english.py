"""The count of stale sentences: planted faults are found, plain sentences are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def english(script: Callable[[str], ModuleType], root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, which imports another one beside it."""
    return script("tools/checks/english.py")


PLANTED = '''"""What this module is for."""

MESSAGE = f"{3} files shall go"

class Box:
    """Whether it is open."""

    width = 3
    """How wide it is."""

    async def size(self):
        """How large it is, as the caller is told."""

    def name(self):
        """Return the name. What it is called."""
        self.x = 3
        """How tall it is."""
        # Whether it fits.
'''


def test_planted_faults_in_python_are_found_with_their_lines(english: ModuleType) -> None:
    found = {(fault.line, fault.words) for fault in english.python_faults("box.py", PLANTED)}
    assert found == {
        (1, "What this module is for."),
        (3, "files shall go"),
        (6, "Whether it is open."),
        (9, "How wide it is."),
        (12, "How large it is, as the caller is told."),
        (15, "What it is called."),
        (17, "How tall it is."),
        (18, "Whether it fits."),
    }


@pytest.mark.parametrize(
    "text",
    ['"""Return what is left."""', '"""However large."""', 'X = "a shallow dish, marshalled"', "# shall\n"],
)
def test_plain_sentences_and_comments_do_not_count(english: ModuleType, text: str) -> None:
    assert list(english.python_faults("plain.py", text)) == []


def test_a_document_counts_each_sentence_once_however_it_is_wrapped(english: ModuleType) -> None:
    text = "# Guide\n\nA double-click\nlays down a note. It shall lie and shall stay.\n\nPress Enter.\n"
    found = list(english.text_faults("guide.md", text))
    assert [(fault.line, fault.words) for fault in found] == [
        (4, "A double-click lays down a note."),
        (4, "It shall lie and shall stay."),
    ]


def test_a_statement_like_a_question_counts_but_a_question_or_a_table_does_not(english: ModuleType) -> None:
    text = "# How it works\n\nWhat does it do? It waits. What it sends is kept.\n\n| How fast. |\n"
    assert [fault.words for fault in english.text_faults("guide.md", text)] == ["What it sends is kept."]


def test_messages_of_c_count_and_its_comments_only_when_they_begin_like_a_question(
    english: ModuleType,
) -> None:
    source = '/* It shall stop. */\nputs("the node is told so");\n/* How it\n * stops. */\n'
    assert [(fault.line, fault.words) for fault in english.c_faults("a.c", source)] == [
        (2, '"the node is told so"'),
        (3, "How it stops."),
    ]


def test_the_count_may_fall_but_not_rise(english: ModuleType) -> None:
    assert english.verdict(5, 5)[1] == 0
    assert english.verdict(4, 5)[1] == 0
    assert "lower MOST" in english.verdict(4, 5)[0]
    line, code = english.verdict(6, 5)
    assert code == 1
    assert line == "english: 6 stale sentences, 5 allowed; rewrite the new ones (--list)"


def test_files_are_read_by_their_kind_and_the_check_skips_itself(english: ModuleType, tmp_path: Path) -> None:
    names = ["a.md", "b.py", "c.h", "tools/checks/english.py"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('"it shall be"\n', encoding="utf-8")
    found = english.faults(tmp_path, [tmp_path / name for name in names])
    assert [fault.path for fault in found] == ["a.md", "b.py", "c.h"]

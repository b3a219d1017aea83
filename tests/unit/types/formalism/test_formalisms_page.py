"""`docs/formalisms.md` is true: its snippets run, and each sentence means what its table says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.tokens import RESERVED

PAGE = Path(__file__).parents[4] / "docs" / "formalisms.md"
ENDPOINT = Vocabulary(frozenset({"Send", "Open", "Close"}), frozenset({"Receive", "Ack"}))


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading."""
    below = PAGE.read_text("utf-8").split(f"\n{heading}\n", 1)[1]
    lines = re.findall(r"^\|(.*)\|$", below.split("\n```")[0].split("\n### ")[0], re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines[2:]]


SENTENCES = [(row[0].strip("`"), row[1].strip("`")) for row in rows("### In plain words")]


def test_the_page_lists_at_least_ten_sentences() -> None:
    assert len(SENTENCES) >= 20


@pytest.mark.parametrize(("sentence", "operators"), SENTENCES, ids=[one for one, _ in SENTENCES])
def test_a_sentence_is_the_same_as_its_operators(
    sentence: str, operators: str, trace: TraceFormalism
) -> None:
    plain, formal = trace.parse(sentence, ENDPOINT), trace.parse(operators, ENDPOINT)
    assert trace.implies(plain, formal), trace.implies(plain, formal).render()
    assert trace.implies(formal, plain), trace.implies(formal, plain).render()
    assert not trace.trivial(plain)


def test_every_operator_of_the_page_is_one_and_every_one_is_on_the_page() -> None:
    named = {word for row in rows("### In operators") for word in re.findall(r"[a-z]{2,}", row[0])}
    sentence_words = {word for sentence, _ in SENTENCES for word in re.findall(r"[a-z]+", sentence)}
    prose = {"is", "it"}
    assert named - {"in", "out", "connect", "disconnect"} <= RESERVED
    assert not RESERVED - named - sentence_words - prose


def test_the_snippets_run(capsys: pytest.CaptureFixture[str]) -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(snippets) >= 6
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)
    assert "this may happen: connect, in.Close, in.Close" in capsys.readouterr().out

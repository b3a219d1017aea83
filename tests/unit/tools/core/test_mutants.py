from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.core.mutants import Mutant, MutantError, apply, main, oracles_in, read_mutants

ROOT = Path(__file__).resolve().parents[4]


MUTANT = Mutant("one", "a rule", "core/x.c", "a < b", "a <= b")


def test_a_mutant_replaces_its_text_once() -> None:
    assert apply(MUTANT, "if (a < b) {") == "if (a <= b) {"


@pytest.mark.parametrize("text", ["nothing here", "a < b || a < b"])
def test_a_mutant_whose_text_is_not_there_once_is_refused(text: str) -> None:
    with pytest.raises(MutantError, match="not once"):
        apply(MUTANT, text)


def test_the_oracles_that_noticed_are_read_from_the_output() -> None:
    lines = (
        "seed 4: 3 breaches, trace 00ff",
        "    12.000001 ms prefix: x",
        "    13.000001 ms purge: y",
        "    14.1 ms prefix: z",
    )
    output = "\n".join(lines)
    assert oracles_in(output) == ("prefix", "purge")


def test_there_are_enough_mutants_and_each_fits_the_core() -> None:
    mutants = read_mutants()
    assert len(mutants) >= 25
    assert len({mutant.name for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        text = (ROOT / "multicast" / mutant.file).read_text(encoding="utf-8")
        assert apply(mutant, text) != text


def test_each_transcript_test_of_a_mutant_exists() -> None:
    existing = {path.stem for path in (ROOT / "tests" / "core").rglob("test_*.c")}
    assert {mutant.test for mutant in read_mutants() if mutant.test} <= existing


@pytest.mark.slow
def test_every_mutant_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    code = main([])
    table = capsys.readouterr().out
    with capsys.disabled():
        sys.stdout.write("\n" + table)
    assert code == 0

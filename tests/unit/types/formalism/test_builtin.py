"""The formalisms that come with the program, as one set."""

from __future__ import annotations

from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.guarantee import GuaranteeFormalism, builtin_table
from liven.types.formalism.plugin import JudgesRealizability, Vocabulary

WIDER = '[[name]]\nid = "local"\nsays = "stays here"\n'


def test_each_has_a_name_to_write_and_an_id_of_its_own() -> None:
    stock = builtin_formalisms()
    assert [formalism.name for formalism in stock] == [
        "guarantee",
        "trace",
        "count",
        "timing",
        "Secure",
        "Secure",
    ]
    assert len({formalism.id for formalism in stock}) == len(stock)


def test_each_call_makes_new_formalisms() -> None:
    first, second = builtin_formalisms(), builtin_formalisms()
    assert not any(one is other for one, other in zip(first, second, strict=True))


def test_a_larger_table_extends_assumptions_of_traces() -> None:
    stock = {formalism.name: formalism for formalism in builtin_formalisms(builtin_table().extended(WIDER))}
    here = Vocabulary(frozenset({"Send"}))
    assert stock["guarantee"].parse("local", here) == {"local"}
    assert stock["trace"].parse("given peer is local, no Send", here)


def test_formalisms_over_traces_judge_realizability() -> None:
    judges = {
        formalism.name for formalism in builtin_formalisms() if isinstance(formalism, JudgesRealizability)
    }
    assert judges == {"trace", "timing"}


def test_a_guarantee_formalism_without_aliases_means_nothing_elsewhere() -> None:
    assert list(GuaranteeFormalism(aliases=()).translate(frozenset({"fifo"}))) == []

"""The original program's only constraint, under either id."""

from __future__ import annotations

import pytest

from liven.types.formalism.guarantee import GUARANTEE, SECURE, SECURE_TOO, GuaranteeFormalism, SecureFormalism
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.ids import ClassId

GUARANTEES = GuaranteeFormalism()
ALIAS = SecureFormalism(GUARANTEES)
HERE = Vocabulary()


def test_the_ids_are_those_of_the_original() -> None:
    assert str(SECURE) == "E333127706844104B0B6A98069FE350B"
    assert str(SECURE_TOO) == "E333127706844104B0B6A98069FE350C"
    assert ALIAS.id == SECURE


@pytest.mark.parametrize("text", ["", "secure", "Secure", "  "])
def test_the_texts_of_the_original_mean_secure(text: str) -> None:
    assert ALIAS.parse(text, HERE) == {"secure"}


def test_a_text_may_add_guarantees() -> None:
    predicate = ALIAS.parse("total and reliable", HERE)
    assert predicate == {"secure", "total", "reliable"}
    assert ALIAS.parse(ALIAS.print(predicate), HERE) == predicate


def test_a_text_that_names_nothing_is_refused() -> None:
    with pytest.raises(FormulaError, match="not a known guarantee"):
        ALIAS.parse("secret", HERE)


def test_it_implies_as_guarantees_do_one_way() -> None:
    more, less = ALIAS.parse("total", HERE), ALIAS.parse("", HERE)
    assert ALIAS.implies(more, less)
    assert not ALIAS.implies(less, more)
    assert ALIAS.implies(ALIAS.conjoin([less, more]), more)


def test_it_is_never_a_tautology_and_has_no_direction() -> None:
    predicate = ALIAS.parse("", HERE)
    assert not ALIAS.trivial(predicate)
    assert ALIAS.mirror(predicate) == predicate
    assert ALIAS.monitor(predicate) is None


def test_secure_and_guarantee_translate_into_each_other() -> None:
    predicate = ALIAS.parse("", HERE)
    assert dict(ALIAS.translate(predicate)) == {GUARANTEE: predicate}
    assert dict(GUARANTEES.translate(predicate)) == {SECURE: predicate, SECURE_TOO: predicate}


def test_a_third_id_can_be_an_alias_too() -> None:
    own = ClassId(77)
    wider = GuaranteeFormalism(aliases=(SECURE, own))
    assert {language for language, _ in wider.translate(frozenset({"fifo"}))} == {SECURE, own}
    assert SecureFormalism(wider, own).id == own

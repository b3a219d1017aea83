"""The table of guarantees: closure, derivations, and additions by libraries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.guarantee import GuaranteeTable, Rule, builtin_table
from liven.types.formalism.guarantee.table import MAX_ENTRIES
from liven.types.formalism.plugin import FormulaError

TABLE = builtin_table()
NAMES = sorted(TABLE.says)
SETS = st.frozensets(st.sampled_from(NAMES), max_size=5)


def test_every_name_says_what_it_promises_in_a_sentence() -> None:
    assert all(len(meaning.split()) >= 3 and not meaning.endswith(".") for meaning in TABLE.says.values())


def test_every_spelling_leads_to_a_name() -> None:
    assert set(TABLE.spellings.values()) == set(NAMES)
    assert all(TABLE.name(spelling) == name for spelling, name in TABLE.spellings.items())


def test_every_rule_is_between_known_names() -> None:
    assert all(rule.given | rule.then <= set(NAMES) for rule in TABLE.rules)
    assert all(rule.given and rule.then for rule in TABLE.rules)


@pytest.mark.parametrize(
    ("names", "everything"),
    [
        ((), ()),
        (("fifo",), ("fifo",)),
        (("causal",), ("causal", "fifo")),
        (("at-least-once",), ("at-least-once", "best-effort")),
        (("secure",), ("authenticated", "encrypted", "integral", "secure")),
        (
            ("atomic",),
            ("at-least-once", "at-most-once", "atomic", "best-effort", "exactly-once", "reliable", "total"),
        ),
        (
            ("stable", "total"),
            (
                *("at-least-once", "at-most-once", "atomic", "best-effort", "exactly-once"),
                *("reliable", "stable", "total", "uniform"),
            ),
        ),
        (("eventually-perfect-detector",), ("eventually-perfect-detector", "eventually-strong-detector")),
    ],
)
def test_what_follows_is_exactly_this(names: tuple[str, ...], everything: tuple[str, ...]) -> None:
    assert sorted(TABLE.closure(names)) == sorted(everything)


@given(SETS, SETS)
def test_a_closure_contains_grows_and_is_closed(one: frozenset[str], two: frozenset[str]) -> None:
    closed = TABLE.closure(one)
    assert one <= closed
    assert TABLE.closure(closed) == closed
    assert closed <= TABLE.closure(one | two)


@given(SETS)
def test_a_derivation_ends_at_the_given_names(names: frozenset[str]) -> None:
    derived = TABLE.derivation(names)
    order = list(derived)
    for name, rule in derived.items():
        assert (rule is None) == (name in names)
        if rule is not None:
            assert name in rule.then
            assert all(order.index(given) < order.index(name) for given in rule.given)


def test_no_two_names_mean_the_same() -> None:
    """Two names with one meaning would be two spellings of one name."""
    closures = [TABLE.closure([name]) for name in NAMES]
    assert len(set(closures)) == len(closures)


def test_names_that_no_rule_touches_stand_alone() -> None:
    touched = frozenset().union(*(rule.given | rule.then for rule in TABLE.rules))
    assert set(NAMES) - touched == {"durable", "timed", "exclusive"}


@pytest.mark.parametrize(
    "text", ["FIFO", " fifo ", "first in first out", "First_In-First Out", "sender-order"]
)
def test_a_name_is_found_in_any_spelling(text: str) -> None:
    assert TABLE.name(text) == "fifo"


ADDED = """
[[name]]
id = "geo-local"
says = "no message leaves the building"
also = ["in-house"]

[[name]]
id = "fifo"
says = "the messages of one sender are delivered in the order of sending"
also = ["ordered"]

[[rule]]
if = ["in-house"]
then = ["encrypted"]

[[rule]]
if = ["causal"]
then = ["fifo"]
"""


def test_an_added_table_may_repeat_what_is_known_and_spell_it_anew() -> None:
    wider = TABLE.extended(ADDED)
    assert wider.name("ordered") == "fifo"
    assert len(wider.rules) == len(TABLE.rules) + 1
    assert Rule(frozenset({"geo-local"}), frozenset({"encrypted"})) in wider.rules


def test_adding_twice_changes_nothing_more() -> None:
    once, twice = TABLE.extended(ADDED), TABLE.extended(ADDED).extended(ADDED)
    assert (once.says, once.spellings, once.rules) == (twice.says, twice.spellings, twice.rules)


@given(SETS)
def test_adding_takes_nothing_away(names: frozenset[str]) -> None:
    assert TABLE.closure(names) <= TABLE.extended(ADDED).closure(names)


def test_two_libraries_may_add_in_either_order() -> None:
    other = '[[name]]\nid = "cheap"\nsays = "it costs nothing"\n'
    one, two = TABLE.extended(ADDED).extended(other), TABLE.extended(other).extended(ADDED)
    assert one.says == two.says
    assert one.closure({"geo-local", "cheap"}) == two.closure({"geo-local", "cheap"})


def test_an_empty_table_adds_nothing() -> None:
    assert TABLE.extended("").says == TABLE.says


def test_a_table_can_be_made_from_nothing() -> None:
    own = GuaranteeTable({}, {}).extended('[[name]]\nid = "x"\nsays = "s"\n', "mine")
    assert own.closure({"x"}) == {"x"}
    with pytest.raises(FormulaError, match=r"there is x"):
        own.name("fifo")


def test_a_table_too_large_is_refused() -> None:
    text = "\n".join(f"[[name]]\nid='n{number}'\nsays='s'" for number in range(MAX_ENTRIES))
    with pytest.raises(FormulaError, match="at most 2000 names and as many rules"):
        TABLE.extended(text, "huge.toml")


@pytest.mark.parametrize("bad", ["x", "x y", "X", "-x", "x-", "x--y", "", "é"])
def test_an_id_is_small_letters_digits_and_single_hyphens(bad: str) -> None:
    text = f'[[name]]\nid = "{bad}"\nsays = "something is promised"\n'
    if bad == "x":
        assert TABLE.extended(text).name("x") == "x"
        return
    with pytest.raises(FormulaError, match="small letters, digits and single hyphens"):
        TABLE.extended(text)

"""Laws and examples of the formalism `guarantee`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.guarantee import (
    GUARANTEE,
    SECURE,
    SECURE_TOO,
    GuaranteeFormalism,
    SecureFormalism,
    builtin_table,
)
from liven.types.formalism.plugin import Formalism, FormulaError, Vocabulary
from liven.types.ids import ClassId

GUARANTEES = GuaranteeFormalism()
NOTHING = Vocabulary()
SETS = st.frozensets(st.sampled_from(sorted(GUARANTEES.table.says)), max_size=4)


def parse(text: str) -> frozenset[str]:
    return GUARANTEES.parse(text, NOTHING)


def holds(provided: str, required: str) -> bool:
    return bool(GUARANTEES.implies(parse(provided), parse(required)))


def test_it_implements_the_formalism_protocol() -> None:
    plugin: Formalism[frozenset[str]] = GUARANTEES
    assert plugin.id == GUARANTEE


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("causal", "fifo"),
        ("atomic", "total"),
        ("atomic", "reliable"),
        ("exactly once", "at most once"),
        ("exactly once", "at least once"),
        ("reliable", "exactly-once"),
        ("reliable", "best effort"),
        ("stable", "reliable"),
        ("virtually synchronous", "reliable"),
        ("secure", "encrypted"),
        ("perfect detector", "eventually strong detector"),
    ],
)
def test_a_textbook_implication_holds_one_way_only(provided: str, required: str) -> None:
    assert holds(provided, required)
    assert not holds(required, provided)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total, reliable", "atomic"),
        ("encrypted, authenticated", "secure"),
        ("at most once, at least once", "exactly once"),
    ],
)
def test_two_ways_to_say_the_same_imply_each_other(one: str, other: str) -> None:
    assert holds(one, other)
    assert holds(other, one)


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("total", "fifo"),
        ("total", "causal"),
        ("total", "reliable"),
        ("atomic", "fifo"),
        ("fifo", "causal"),
        ("fifo", "total"),
        ("at most once", "best effort"),
        ("at most once", "exactly once"),
        ("at least once", "exactly once"),
        ("reliable", "stable"),
        ("encrypted", "authenticated"),
        ("causal", "total"),
        ("", "best effort"),
    ],
)
def test_implications_denied_by_textbooks_do_not_follow(provided: str, required: str) -> None:
    assert not holds(provided, required)


def test_two_halves_make_a_whole() -> None:
    assert holds("at most once and at least once", "exactly once")
    assert holds("at most once, at least once, total", "exactly once")


def test_every_name_the_specification_lists_is_known() -> None:
    names = (
        "best effort, at most once, at least once, exactly once, reliable, fifo, causal, total, stable,"
        " virtually synchronous, atomic, timed, encrypted, authenticated"
    )
    assert len(parse(names)) == 14


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(FormulaError, match=r"'fifoo' is not a known guarantee; did you mean fifo\?"):
        parse("total, fifoo")


def test_a_name_near_nothing_is_refused_with_what_there_is() -> None:
    with pytest.raises(FormulaError, match="there is at-least-once"):
        parse("%%%%")


def test_spelling_is_forgiving() -> None:
    assert parse("FIFO; Virtually_Synchronous\n at-most  once & TOTAL order") == {
        "fifo",
        "virtually-synchronous",
        "at-most-once",
        "total",
    }


def test_a_refusal_names_what_is_missing_and_an_assent_how_it_follows() -> None:
    refused = GUARANTEES.implies(parse("total"), parse("fifo, total"))
    assert [path for path, _ in refused.failures()] == [("fifo",)]
    assert "order of sending" in refused.render()
    agreed = GUARANTEES.implies(parse("stable"), parse("at most once"))
    assert "reliable follows from uniform" in agreed.render(full=True)


def test_the_empty_set_is_the_only_builtin_tautology() -> None:
    assert GUARANTEES.trivial(parse(""))
    assert not any(GUARANTEES.trivial(frozenset([name])) for name in GUARANTEES.table.says)


def test_a_guarantee_cannot_be_seen_on_one_connection() -> None:
    assert GUARANTEES.monitor(parse("total")) is None


def test_a_long_text_is_refused() -> None:
    with pytest.raises(FormulaError, match="4096"):
        parse("fifo," * 1000)


@given(SETS, SETS, SETS)
def test_implication_is_a_preorder(a: frozenset[str], b: frozenset[str], c: frozenset[str]) -> None:
    assert GUARANTEES.implies(a, a)
    if GUARANTEES.implies(a, b) and GUARANTEES.implies(b, c):
        assert GUARANTEES.implies(a, c)


@given(SETS, SETS, SETS)
def test_a_conjunction_implies_what_its_parts_imply(
    a: frozenset[str], b: frozenset[str], c: frozenset[str]
) -> None:
    if GUARANTEES.implies(a, c):
        assert GUARANTEES.implies(GUARANTEES.conjoin([a, b]), c)


@given(SETS)
def test_print_and_parse_are_inverse(names: frozenset[str]) -> None:
    assert parse(GUARANTEES.print(names)) == names


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert parse(text) <= GUARANTEES.table.says.keys()
    except FormulaError as error:
        assert str(error)


@pytest.mark.parametrize("original", [SECURE, SECURE_TOO])
def test_the_original_constraint_is_an_alias_for_guarantees(original: ClassId) -> None:
    secure = SecureFormalism(GUARANTEES, original)
    plugin: Formalism[frozenset[str]] = secure
    assert plugin.id == original
    predicate = secure.parse("", NOTHING)
    assert secure.implies(predicate, secure.parse("encrypted", NOTHING) - {"secure"})
    assert list(secure.translate(predicate)) == [(GUARANTEE, frozenset({"secure"}))]
    assert (original, predicate) in list(GUARANTEES.translate(predicate))


LIBRARY = """
[[name]]
id = "lan-only"
says = "no message leaves the local network"
also = ["local-network"]

[[rule]]
if = ["lan-only", "best-effort"]
then = ["timed"]
"""


def test_a_library_adds_names_and_rules() -> None:
    wider = GuaranteeFormalism(builtin_table().extended(LIBRARY, "the lan library"))
    assert wider.implies(wider.parse("local network, reliable", NOTHING), wider.parse("timed", NOTHING))
    assert not wider.implies(wider.parse("timed", NOTHING), wider.parse("lan only", NOTHING))
    assert wider.implies(parse("causal"), parse("fifo"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not toml", "is not TOML"),
        ("[[nmae]]\nid='x'", "'nmae' is neither"),
        ("name = 3", r"write \[\[name\]\]"),
        ("[[name]]\nid='No Good'\nsays='x'", "small letters"),
        ("[[name]]\nid='x'", "needs a sentence"),
        ("[[name]]\nid='fifo'\nsays='another thing'", "fifo is known already"),
        ("[[name]]\nid='x'\nsays='x'\nalso=['safe']", "'safe' is known already and means stable"),
        ("[[rule]]\nif=['fifo']\nthen=['causl']", "did you mean causal"),
        ("[[rule]]\nif=['fifo']", "needs names"),
        ("[[rule]]\nif='fifo'\nthen=['causal']", "must be a list"),
    ],
)
def test_a_bad_table_is_refused_and_says_where(text: str, complaint: str) -> None:
    with pytest.raises(FormulaError, match=f"the lan library.*{complaint}"):
        builtin_table().extended(text, "the lan library")


def test_extending_does_not_change_the_builtin_table() -> None:
    before = builtin_table()
    before.extended(LIBRARY)
    assert "lan-only" not in before.says


def test_a_long_chain_of_rules_is_followed() -> None:
    names = "\n".join(f"[[name]]\nid='n{i}'\nsays='number {i}'" for i in range(600))
    rules = "\n".join(f"[[rule]]\nif=['n{i}']\nthen=['n{i + 1}']" for i in range(599))
    long = GuaranteeFormalism(builtin_table().extended(names + "\n" + rules))
    assert long.implies(frozenset({"n0"}), frozenset({"n599"}))
    assert not long.implies(frozenset({"n1"}), frozenset({"n0"}))

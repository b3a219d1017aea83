"""Any text yields a predicate or a FormulaError with a message, never another error."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.formalism.count import CountFormalism
from liven.types.formalism.guarantee import GuaranteeFormalism, builtin_table
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.timing import TimingFormalism
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.tokens import RESERVED

ENDPOINT = Vocabulary(frozenset({"Send", "Open"}), frozenset({"Ack", "Open"}))
OBJECT = Vocabulary(endpoints=(("channel", ENDPOINT), ("detector", ENDPOINT)))
NAMES = [
    "Send",
    "Ack",
    "in.Open",
    "out.Open",
    "channel.Send",
    "detector.connect",
    "connect",
    "in.*",
    "*",
    "x",
]
NUMBERS = ["0", "1", "2.5", "16", "95", "99999999999999999999", "1e9", "٣"]
SIGNS = [
    '"',
    '"Send"',
    'in."Send"',
    "(",
    ")",
    ",",
    ";",
    "%",
    "->",
    "<->",
    "!",
    "&",
    "|",
    "=",
    ".",
    "..",
    "-",
    "\n",
    "\x00",
    "é",
]
OTHERS = [
    "instances",
    "of",
    "connected",
    "within",
    "ms",
    "s",
    "time",
    "the",
    "all",
    "some",
    "is",
    "fifo",
    "peer",
]
WORDS = st.sampled_from([*sorted(RESERVED), *NAMES, *NUMBERS, *SIGNS, *OTHERS])
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join))
FORMALISMS = (GuaranteeFormalism(), TraceFormalism(), CountFormalism(), TimingFormalism())


@given(TEXTS, st.sampled_from(FORMALISMS), st.sampled_from([ENDPOINT, OBJECT, Vocabulary()]))
@settings(max_examples=800, deadline=None)
def test_a_text_is_read_and_printed_or_refused(
    text: str, formalism: TraceFormalism, names: Vocabulary
) -> None:
    try:
        predicate = formalism.parse(text, names)
    except FormulaError as error:
        assert str(error)
        return
    assert formalism.parse(formalism.print(predicate), names) == predicate
    assert formalism.implies(predicate, predicate)
    hash(predicate)


@given(
    st.recursive(WORDS, lambda inner: st.lists(inner, min_size=1, max_size=6).map(" ".join), max_leaves=200)
)
@settings(max_examples=150, deadline=None)
def test_long_formulas_end_in_bounded_time(text: str) -> None:
    try:
        FORMALISMS[1].parse(text, ENDPOINT)
    except FormulaError as error:
        assert str(error)


@given(st.one_of(st.text(max_size=100), st.lists(WORDS, max_size=20).map("\n".join)))
@settings(max_examples=200, deadline=None)
def test_a_table_is_read_or_refused(text: str) -> None:
    try:
        builtin_table().extended(text)
    except FormulaError as error:
        assert str(error)

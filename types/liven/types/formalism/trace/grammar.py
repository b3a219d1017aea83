"""Reads formulas: operators by precedence, and plain-words sentences wherever a formula is allowed.

text      = statement { ";" statement }
statement = "given" statement "," statement | sentence | formula
formula   = operators as in `_LEVELS`, loosest first; unary ones bind tightest
primary   = "(" text ")" | event | "true" | "false" | subject "is" guarantee
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from liven.types.formalism.atoms import resolve
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.suggestions import suggestion
from liven.types.formalism.trace import sentences
from liven.types.formalism.trace.formula import (
    FALSE,
    TRUE,
    Assumed,
    Formula,
    Next,
    Previously,
    Release,
    Since,
    Until,
    always,
    conjunction,
    disjunction,
    eventually,
    historically,
    implication,
    looks_ahead,
    negation,
    once,
    unless,
    walk,
)
from liven.types.formalism.trace.tokens import Token, TokenStream

MAX_SIZE = 2000
"""The most operators of a formula; `iff` and `unless` double their operands."""


def _iff(one: Formula, two: Formula) -> Formula:
    return conjunction(implication(one, two), implication(two, one))


_LEVELS: tuple[Mapping[str, Callable[..., Formula]], ...] = (
    {"iff": _iff},
    {"implies": implication},
    {"or": disjunction},
    {"and": conjunction},
    {"until": Until, "unless": unless, "release": Release, "since": Since},
)
_FLAT = (conjunction, disjunction)
"""Operators with any number of operands, so that long rows of them do not nest."""
_UNARY: Mapping[str, Callable[[Formula], Formula]] = {
    "not": negation,
    "always": always,
    "never": lambda body: always(negation(body)),
    "eventually": eventually,
    "next": Next,
    "once": once,
    "historically": historically,
    "previously": Previously,
}
_PAST = ("since", "once", "historically", "previously")


class Reader:
    """One text being read, with the names it may use."""

    def __init__(self, text: str, vocabulary: Vocabulary, table: GuaranteeTable) -> None:
        self.words = TokenStream(text)
        self._vocabulary = vocabulary
        self._table = table

    def read(self) -> Formula:
        """Return the whole text as one formula."""
        formula = self.text()
        if self.words.peek().text:
            raise self.words.error(f"{self.words.found()} is left over after a complete formula")
        return formula

    def text(self) -> Formula:
        parts = [self.statement()]
        while self.words.accept(";"):
            parts.append(self.statement())
        return conjunction(*parts)

    def statement(self) -> Formula:
        with self.words:
            if self.words.accept("given"):
                assumption = self.statement()
                self.words.expect(",")
                return implication(assumption, self.statement())
            sentence = sentences.sentence(self)
            return self.formula() if sentence is None else self._bounded(sentence)

    def formula(self, level: int = 0) -> Formula:
        """Read operators of this level and tighter ones, grouped to the right."""
        if level == len(_LEVELS):
            return self._unary()
        parts = [self.formula(level + 1)]
        word = self.words.peek()
        operator = _LEVELS[level].get(word.text)
        if operator is None:
            return parts[0]
        if operator in _FLAT:
            while self.words.accept(word.text):
                parts.append(self.formula(level + 1))
            return self._bounded(operator(*parts))
        self.words.take()
        with self.words:
            parts.append(self.formula(level))
        if word.text in _PAST:
            self._refuse_future(word, *parts)
        return self._bounded(operator(*parts))

    def _unary(self) -> Formula:
        word = self.words.peek()
        if self.words.accept("weakly"):
            self.words.expect("next")
            with self.words:
                return Next(self._unary(), strong=False)
        operator = _UNARY.get(word.text)
        if operator is None:
            return self._primary()
        self.words.take()
        with self.words:
            body = self._unary()
        if word.text in _PAST:
            self._refuse_future(word, body)
        return operator(body)

    def _primary(self) -> Formula:
        if self.words.accept("("):
            inner = self.text()
            self.words.expect(")")
            return inner
        if self.words.accept("true"):
            return TRUE
        if self.words.accept("false"):
            return FALSE
        if self.words.peek(1).text == "is" and self.words.peek().is_name:
            return self._assumption()
        return self.event()

    def event(self) -> Formula:
        """Read the name of one event."""
        word = self.words.peek()
        if not word.is_name:
            hint = (
                f"; an event of that name is in.{word.text} or out.{word.text}" if word.text.isalpha() else ""
            )
            raise self.words.error(f"expected an event, found {self.words.found()}{hint}")
        self.words.take()
        try:
            return disjunction(*resolve(word.name, self._vocabulary))
        except FormulaError as error:
            raise self.words.error(str(error), word) from None

    def _assumption(self) -> Formula:
        subject = self.words.take()
        known = [name for name, _ in self._vocabulary.endpoints] or ["self", "peer"]
        if subject.name not in known:
            near = suggestion(subject.name, known)
            raise self.words.error(f"{subject.name!r} cannot provide a guarantee{near}", subject)
        self.words.expect("is")
        guarantee = self.words.take()
        try:
            return Assumed(subject.name, self._table.name(guarantee.text))
        except FormulaError as error:
            raise self.words.error(str(error), guarantee) from None

    def _bounded(self, formula: Formula) -> Formula:
        if sum(1 for _ in islice(walk(formula), MAX_SIZE + 1)) > MAX_SIZE:
            raise self.words.error(
                f"this stands for more than {MAX_SIZE} operators; split it into simpler parts"
            )
        return formula

    def _refuse_future(self, word: Token, *bodies: Formula) -> None:
        if any(looks_ahead(body) for body in bodies):
            raise self.words.error(
                f"{word.text!r} looks back and cannot contain an operator that looks ahead", word
            )

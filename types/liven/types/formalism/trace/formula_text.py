"""Formulas as text that `grammar` reads back as the same formula."""

from __future__ import annotations

from liven.types.formalism.atoms import Atom
from liven.types.formalism.quoting import quoted
from liven.types.formalism.trace.formula import (
    FALSE,
    TRUE,
    And,
    Assumed,
    Formula,
    Next,
    Not,
    Or,
    Previously,
    Release,
    Since,
    Truth,
    Until,
)
from liven.types.formalism.trace.tokens import RESERVED


def show(formula: Formula) -> str:
    """Return the formula in operators."""
    match formula:
        case And(parts):
            return " and ".join(map(_inner, parts))
        case Or((Not() as given, then)):
            return f"{_inner(given.body)} implies {_inner(then)}"
        case Or(parts):
            return " or ".join(map(_inner, parts))
        case Until(path, goal) if path != TRUE:
            return f"{_inner(path)} until {_inner(goal)}"
        case Release(freeing, body) if freeing != FALSE:
            return f"{_inner(freeing)} release {_inner(body)}"
        case Since(path, origin) if path != TRUE:
            return f"{_inner(path)} since {_inner(origin)}"
        case _:
            return _tight(formula)


def _inner(formula: Formula) -> str:
    """Return the formula as an operand."""
    return show(formula) if _is_tight(formula) else f"({show(formula)})"


def _is_tight(formula: Formula) -> bool:
    match formula:
        case And() | Or():
            return False
        case Until(path, _) | Since(path, _):
            return path == TRUE
        case Release(freeing, _):
            return freeing == FALSE
        case _:
            return True


def _tight(formula: Formula) -> str:
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Atom():
            return formula.spelled
        case Assumed(subject, guarantee):
            return f"{_subject(subject)} is {guarantee}"
        case Not(Since(path, Not(body))) if path == TRUE:
            return f"historically {_inner(body)}"
        case Not(Since(path, body)) if path == TRUE:
            return f"not once {_inner(body)}"
        case Not(body):
            return f"not {_inner(body)}"
        case Next(body, strong):
            return f"{'next' if strong else 'weakly next'} {_inner(body)}"
        case Previously(body):
            return f"previously {_inner(body)}"
        case _:
            return _unbounded(formula)


def _subject(name: str) -> str:
    return f'"{name}"' if name in RESERVED else quoted(name)


def _unbounded(formula: Formula) -> str:
    match formula:
        case Until(_, goal):
            return f"eventually {_inner(goal)}"
        case Release(_, Not(body)):
            return f"never {_inner(body)}"
        case Release(_, body):
            return f"always {_inner(body)}"
        case Since(_, Not(body)):
            return f"not historically {_inner(body)}"
        case Since(_, origin):
            return f"once {_inner(origin)}"
        case _:
            raise AssertionError(f"no printed form for {formula!r}")

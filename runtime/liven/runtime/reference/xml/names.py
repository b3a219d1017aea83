"""The names of the grammar: namespaces, and the types that `xsi:type` may name."""

from __future__ import annotations

from typing import Final, get_args

from liven.runtime.reference.model import ClassKind, PlainType, TokenType

XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
XSD: Final = "http://www.w3.org/2001/XMLSchema"
TYPE: Final = f"{{{XSI}}}type"
NIL: Final = f"{{{XSI}}}nil"
PLAIN: Final = {f"{{{XSD}}}{name}": name for name in get_args(PlainType)}
TOKENS: Final = frozenset(get_args(TokenType))
CLASS_KINDS: Final = frozenset(get_args(ClassKind))
KINDS: Final = {
    "provided": "provided",
    "required": "required",
    "Provided": "provided",
    "Required": "required",
}

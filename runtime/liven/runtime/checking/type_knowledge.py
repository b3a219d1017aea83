"""The types known to this process: formalisms, classes, and the one matcher, which caches its answers.

The start of the program makes one and passes it on. It begins with the built-in types; installed libraries
add theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

from liven.runtime.checking import Checker
from liven.types.catalogue import Catalogue, Entry, builtin_catalogue
from liven.types.catalogue.original import TextSource
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher

STRING = ClassId(0x2FEB1E028342422CBD38CB074B957973)
"""Texts of the original's host language: files name this class as the key of folders."""
INT64 = ClassId(0x3C273EB017939E3AB713F4F14B685194)
"""Files must name the class of a channel's values, even for a plain number."""
LIST = ClassId(0xFC016AB496FCDEEDFEDCB231074D3AE6)
"""The same for a list, of the class given as its ItemClass."""


@dataclass(frozen=True, slots=True)
class TypeKnowledge:
    """The types known to one process."""

    formalisms: Formalisms
    catalogue: Catalogue
    matcher: Matcher
    checker: Checker

    @classmethod
    def stock(cls) -> TypeKnowledge:
        """Return the types that every process knows before it has loaded a library."""
        formalisms = Formalisms(builtin_formalisms())
        catalogue = builtin_catalogue(formalisms)
        for number, alias, name, text, parameters in (
            (STRING, "liven:string", "String", "text", ""),
            (INT64, "liven:int64", "Int64", "int64", ""),
            (LIST, "liven:list", "List", "list<ItemClass>", "ItemClass"),
        ):
            if catalogue.exactly("value", number) is None:
                source = TextSource("value", parameters, text, [], catalogue.builder, formalisms)
                catalogue.put(Entry("value", number, alias, name, "core", source, used=True))
        matcher = Matcher(formalisms)
        return cls(formalisms, catalogue, matcher, Checker(catalogue, matcher))

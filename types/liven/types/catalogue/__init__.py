"""The catalogue of known classes by id, version and readable name, with those of the original program.

`registration` adds the classes of an author's module, `notation` and `notation_terms` read types written
as text, `description` prints a class. Declaring classes is the matter of `declare`. Start with
`catalogue`.
"""

from liven.types.catalogue.builtin import builtin_catalogue
from liven.types.catalogue.catalogue import Catalogue
from liven.types.catalogue.entry import Entry, Kind, TypeParameter, ValueParameter
from liven.types.catalogue.errors import (
    AliasTakenError,
    AmbiguousClassError,
    CatalogueError,
    ConflictError,
    UnknownClassError,
)
from liven.types.catalogue.registration import register
from liven.types.catalogue.templates import template_of

__all__ = [
    "AliasTakenError",
    "AmbiguousClassError",
    "Catalogue",
    "CatalogueError",
    "ConflictError",
    "Entry",
    "Kind",
    "TypeParameter",
    "UnknownClassError",
    "ValueParameter",
    "builtin_catalogue",
    "register",
    "template_of",
]

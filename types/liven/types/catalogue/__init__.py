"""Known classes by id, version and readable name, seeded with those of the original program."""

from liven.types.catalogue.catalogue import Catalogue
from liven.types.catalogue.entry import Entry, Kind, TypeParameter, ValueParameter
from liven.types.catalogue.errors import (
    AmbiguousClassError,
    CatalogueError,
    ConflictError,
    UnknownClassError,
)
from liven.types.catalogue.stock import stock_catalogue

__all__ = [
    "AmbiguousClassError",
    "Catalogue",
    "CatalogueError",
    "ConflictError",
    "Entry",
    "Kind",
    "TypeParameter",
    "UnknownClassError",
    "ValueParameter",
    "stock_catalogue",
]

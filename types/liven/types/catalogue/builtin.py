"""The catalogue that every program starts with."""

from __future__ import annotations

from liven.types.catalogue.catalogue import Catalogue
from liven.types.catalogue.original import original_entries
from liven.types.formalism.registry import Formalisms


def builtin_catalogue(formalisms: Formalisms) -> Catalogue:
    """Return a new catalogue of the original program's classes; their structures are read on demand."""
    catalogue = Catalogue(formalisms)
    for entry in original_entries(catalogue.builder, formalisms):
        catalogue.put(entry)
    return catalogue

"""The objects that come with this room. They are learned like those of any author's module."""

from __future__ import annotations

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.folder import local_folder, memory_folder
from liven.types.catalogue.registration import register
from liven.types.declare import scan


def learn_stock(known: TypeKnowledge) -> TypeKnowledge:
    """Add the folders of this room to the catalogue of `known`, and return it."""
    for module in (memory_folder, local_folder):
        register(known.catalogue, scan(module), known.matcher)
    return known

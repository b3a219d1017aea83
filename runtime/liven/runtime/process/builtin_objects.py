"""The objects that this room brings itself. They come in by the door that every author's module uses."""

from __future__ import annotations

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.folder import local_folder, memory_folder
from liven.types.catalogue.registration import register
from liven.types.declare import scan


def learn_stock(known: TypeKnowledge) -> TypeKnowledge:
    """`known`, with the folders of this room in its catalogue."""
    for module in (memory_folder, local_folder):
        register(known.catalogue, scan(module), known.matcher)
    return known

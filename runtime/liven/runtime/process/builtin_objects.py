"""The objects that this room brings itself. They come in by the door that every author's module uses."""

from __future__ import annotations

from liven.runtime.folder import filesystem, memory
from liven.runtime.known import Known
from liven.types.catalogue.learning import learn
from liven.types.declare import scan


def learn_stock(known: Known) -> Known:
    """`known`, with the folders of this room in its catalogue."""
    for module in (memory, filesystem):
        learn(known.catalogue, scan(module), known.matcher)
    return known

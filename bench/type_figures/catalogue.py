"""The catalogue: making it, and reading every structure in it.

Making it reads the names, ids and parameters of all classes. A structure is read on demand, so that cost
is measured by itself: all of them at once, which no program needs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from figure_report import Figure, best_of

from liven.types.catalogue import Catalogue, Entry, builtin_catalogue
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import TEXT

ROUNDS = 5
SAMPLES: dict[str, Any] = {
    "value": TEXT,
    "interface": (("go", TEXT),),
    "endpoint": EndpointType(),
    "object": ObjectType(),
}


def sample_arguments(entry: Entry) -> tuple[Any, ...]:
    """Return some class for each parameter of a template."""
    return tuple(SAMPLES[parameter.kind] for parameter in entry.source.type_parameters())


def read_all(catalogue: Catalogue) -> float:
    """Return the seconds for the structure of every class, in a catalogue that has read none."""
    start = time.perf_counter()
    for entry in catalogue:
        catalogue.term(entry, sample_arguments(entry))
    return time.perf_counter() - start


def figures() -> Iterator[Figure]:
    """Yield the cost at a program's start, and the cost of the whole content."""
    formalisms = Formalisms(builtin_formalisms())
    build = best_of(ROUNDS, 1, lambda: builtin_catalogue(formalisms))
    yield Figure("catalogue.build (names and ids)", build * 1e3, "ms", 50)
    every = min(read_all(builtin_catalogue(formalisms)) for _ in range(ROUNDS))
    yield Figure("catalogue.read every structure", every * 1e3, "ms")
    yield Figure("catalogue.build and read all", (build + every) * 1e3, "ms", 50)
    catalogue = builtin_catalogue(formalisms)
    yield Figure(
        "catalogue.find by alias", best_of(ROUNDS, 1000, lambda: catalogue.find("liven:desktop")) * 1e6, "us"
    )

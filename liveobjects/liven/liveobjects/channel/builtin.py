"""The channel objects that this room brings. They come in by the door that every author's module uses."""

from __future__ import annotations

from liven.liveobjects.channel import (
    endpoints,
    folder,
    group,
    keeper,
    local,
    ordered,
    presence,
    serializable,
    shared,
    stream,
    untyped,
)
from liven.liveobjects.channel.adapters import convert, encrypt, guard, order, sealed, synchronize
from liven.liveobjects.channel.tester import intervals, timed
from liven.liveobjects.channel.tester import object as tester
from liven.runtime.known import Known
from liven.types.catalogue.learning import learn
from liven.types.declare import scan

MODULES = (
    endpoints,
    folder,
    group,
    keeper,
    local,
    ordered,
    presence,
    serializable,
    shared,
    stream,
    untyped,
    tester,
    intervals,
    timed,
    sealed,
    convert,
    encrypt,
    guard,
    order,
    synchronize,
)


def learn_channels(known: Known) -> Known:
    """`known`, with the channels in its catalogue."""
    for module in MODULES:
        learn(known.catalogue, scan(module), known.matcher)
    return known

"""The channel objects of this package, registered in the same way as an author's module."""

from __future__ import annotations

from liven.liveobjects.channel.adapters import (
    any_value,
    checkpoint_sync_object,
    reader_encryption,
    sealed_values,
    shared_key_encryption,
    total_order,
    type_conversion,
    untyped_channels,
)
from liven.liveobjects.channel.api import endpoints
from liven.liveobjects.channel.objects import (
    channel_folder,
    group,
    keeper,
    local,
    ordered,
    presence,
    shared,
    value_stream,
)
from liven.liveobjects.channel.tester import load_generator, timed_channel
from liven.liveobjects.channel.tester import object as tester
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.types.catalogue.registration import register
from liven.types.declare import scan

MODULES = (
    endpoints,
    channel_folder,
    group,
    keeper,
    local,
    ordered,
    presence,
    any_value,
    shared,
    value_stream,
    untyped_channels,
    tester,
    load_generator,
    timed_channel,
    sealed_values,
    type_conversion,
    shared_key_encryption,
    reader_encryption,
    total_order,
    checkpoint_sync_object,
)


def learn_channels(known: TypeKnowledge) -> TypeKnowledge:
    """Add the channel objects to the catalogue of `known`, and return it."""
    for module in MODULES:
        register(known.catalogue, scan(module), known.matcher)
    return known

"""A summary of a recipe for the trust question: its channels, hosts, files, rates and libraries.

Classes are found as the loader finds them, by id or alias, so that another spelling hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from liven.liveobjects.channel.api.recipes import COMMUNICATION
from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.trust import Question
from liven.runtime.loader.capabilities import capabilities_of
from liven.runtime.reference import ids
from liven.runtime.reference.identity import REGISTRY
from liven.runtime.reference.model import Object, Plain, Reference, parts
from liven.runtime.reference.well_known_keys import canonical_key

_SCHEMES = ("http", "https", "ftp", "ftps", "ws", "wss", "file")
_CHANNELS = CapabilityKind.JOIN_CHANNEL
_KEPT = CapabilityKind.KEEP_CHANNEL
_RATES = CapabilityKind.SEND


@dataclass(frozen=True, slots=True)
class RecipeSummary:
    """The summary. Each tuple is in the order of the recipe, without duplicates."""

    channels: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """The files and folders of this computer, each with what would be done there."""
    kept: tuple[str, ...] = ()
    """The channels that would be stored on this computer."""
    queries: tuple[str, ...] = ()
    """The recorded feeds of this computer on which it would run queries."""
    rates: tuple[str, ...] = ()
    """The objects that send by themselves, each with its rate."""


def summarize(thing: Object, known: TypeKnowledge) -> RecipeSummary:
    """Summarize a recipe. Code that is not confined may do more than this."""
    everything = tuple(_all(thing))
    reached = capabilities_of(thing, known)
    shared = [name for one in everything if (name := _from_communication(one, known))]
    hosts = [host for one in everything for host in _hosts(one)]
    libraries = [need.library for one in everything for need in one.requires]
    return RecipeSummary(
        _unique([*shared, *_subjects(reached, _CHANNELS)]),
        _unique(
            [
                *hosts,
                *_subjects(reached, CapabilityKind.REACH_HOST),
                *_subjects(reached, CapabilityKind.USE_HOST),
            ]
        ),
        _unique(libraries),
        _unique([str(one) for one in reached if one.is_path]),
        _unique(_subjects(reached, _KEPT)),
        _unique(_subjects(reached, CapabilityKind.RUN_QUERY)),
        _unique([str(one) for one in reached if one.kind is _RATES]),
    )


def needs(thing: Object | None, question: Question) -> bool:
    """Return True if a recipe itself refers to the code in question."""
    return thing is not None and any(
        (ids.brief(need.library), need.sha256) == (question.library, question.sha256)
        and (need.url == question.url or bool(question.sent_on_from))
        for one in _all(thing)
        for need in one.requires
    )


def host_of(url: str) -> str:
    """Return the host of a URL, or this machine; empty for a text that is not a URL."""
    try:
        found = urlsplit(url.strip())
    except ValueError:
        return ""
    if found.scheme.lower() not in _SCHEMES:
        return ""
    return found.hostname or "this machine"


def _unique(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _subjects(reached: tuple[Capability, ...], kind: CapabilityKind) -> list[str]:
    return [one.subject for one in reached if one.kind is kind]


def _all(thing: Object) -> Iterator[Object]:
    yield thing
    for _, part in parts(thing):
        yield from _all(part)


def _from_communication(thing: Object, known: TypeKnowledge) -> str:
    """Return the name of a channel that comes from the registry's communication system, else an empty text.

    Registry and key may be written as ids or by their names.
    """
    if not isinstance(thing, Reference) or not isinstance(thing.source, Reference):
        return ""
    folder = thing.source
    registry = folder.source
    if registry is None or canonical_key(folder.id) != COMMUNICATION:
        return ""
    found = ids.resolve("component", registry.id, known.checker.lookup)
    is_registry = found is not None and ids.same(str(found), REGISTRY)
    return thing.id if is_registry else ""


def _hosts(thing: Object) -> Iterator[str]:
    urls = [need.url for need in thing.requires]
    urls += [one.value.text for one in thing.parameters if isinstance(one.value, Plain)]
    yield from (host for url in urls if (host := host_of(url)))

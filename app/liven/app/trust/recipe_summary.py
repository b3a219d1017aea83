"""A summary of a recipe for the trust question: its channels, network addresses and libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS
from liven.runtime.library.trust import Question
from liven.runtime.reference import ids
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Object, Parameter, Plain, Reference, parts

_SCHEMES = ("http", "https", "ftp", "ftps", "ws", "wss", "file")


@dataclass(frozen=True, slots=True)
class RecipeSummary:
    """The summary. Each tuple is in the order of the recipe, without duplicates."""

    channels: tuple[str, ...]
    hosts: tuple[str, ...]
    libraries: tuple[str, ...]


def summarize(thing: Object) -> RecipeSummary:
    """Summarize a recipe. Code may do more than this: it runs with the rights of the user."""
    everything = tuple(_all(thing))
    channels = [name for one in everything if (name := _channel(one))]
    hosts = [host for one in everything for host in _hosts(one)]
    libraries = [need.library for one in everything for need in one.requires]
    return RecipeSummary(*(tuple(dict.fromkeys(found)) for found in (channels, hosts, libraries)))


def needs(thing: Object | None, question: Question) -> bool:
    """Return True if a recipe itself refers to the code in question."""
    return thing is not None and any(
        (ids.brief(need.library), need.sha256, need.url) == (question.library, question.sha256, question.url)
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


def _all(thing: Object) -> Iterator[Object]:
    yield thing
    for _, part in parts(thing):
        yield from _all(part)


def _channel(thing: Object) -> str:
    """Return the name of a channel; empty for an object that is not a channel."""
    if not isinstance(thing, Reference):
        return ""
    source = thing.source
    if isinstance(source, Reference) and normal(source.id) in (normal(COMMUNICATION), "liven:communication"):
        return thing.id
    return _text(thing.parameters, "name") if thing.id in KINDS.values() else ""


def _text(parameters: tuple[Parameter, ...], name: str) -> str:
    found = next((one.value for one in parameters if one.id == name), None)
    return found.text if isinstance(found, Plain) else ""


def _hosts(thing: Object) -> Iterator[str]:
    urls = [need.url for need in thing.requires]
    urls += [one.value.text for one in thing.parameters if isinstance(one.value, Plain)]
    yield from (host for url in urls if (host := host_of(url)))

"""The consent to paths, hosts and feeds: which files, folders and recordings of this computer, and which
other computers, a recipe may reach.

The person's own folder of objects needs no consent. Anything else is asked once for each recipe, by a window;
a program without a screen answers no unless the command line allows it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from liven.runtime.capability.capability import Capability, CapabilityKind
from liven.runtime.files import user_path
from liven.runtime.objects.reply import Reply


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """The question that a person is asked: may this recipe reach these files, folders, computers and
    feeds?"""

    recipe: str
    """The identity of the recipe. An answer holds for this recipe and no other."""
    reason: str
    """The place of the object that needs it, for people."""
    capabilities: tuple[Capability, ...]
    """Hosts, feeds, and paths, each resolved: absolute, without links."""

    def __str__(self) -> str:
        return f"it wants to {', '.join(str(one) for one in self.capabilities)}"


Ask: TypeAlias = Callable[[ConsentQuestion], Reply[bool]]
"""Asks the question. Called on the dispatcher's thread; a person may take long to answer."""


def refuse_paths(question: ConsentQuestion) -> Reply[bool]:  # noqa: ARG001
    """Answer no, for a program that has nobody to ask."""
    answer: Reply[bool] = Reply()
    answer.resolve(False)
    return answer


class Consent:
    """The consent of one process. Without arguments it refuses every path, host and feed."""

    def __init__(
        self,
        free: Iterable[Path] = (),
        ask: Ask = refuse_paths,
        advice: str = "",
        hosts: Iterable[str] = (),
        feeds: Iterable[str] = (),
    ) -> None:
        """`free` are the folders, `hosts` the HOST:PORT, and `feeds` the recordings, that need no question;
        `advice` says how to allow more where nobody can be asked."""
        self._free = tuple(free)
        self._hosts = frozenset(one.lower() for one in hosts)
        self._feeds = frozenset(feeds)
        self._given: set[tuple[str, Capability]] = set()
        self.ask = ask
        self.advice = advice

    def missing(self, recipe: str, capabilities: Iterable[Capability]) -> tuple[Capability, ...]:
        """Return the paths, hosts and feeds that nobody has allowed this recipe so far, paths resolved.

        It looks at the disk, which may block: call it in a worker.
        """
        free = tuple(Path(os.path.realpath(folder)) for folder in self._free)
        wanted = dict.fromkeys(_resolved(one) for one in capabilities if one.is_asked)
        return tuple(
            one for one in wanted if (recipe, one) not in self._given and not self._is_free(one, free)
        )

    def _is_free(self, one: Capability, free: tuple[Path, ...]) -> bool:
        if one.is_path:
            return any(Path(one.subject).is_relative_to(folder) for folder in free)
        if one.kind is CapabilityKind.RUN_QUERY:
            return one.subject in self._feeds
        return one.subject.lower() in self._hosts

    def give(self, question: ConsentQuestion) -> None:
        """Remember a yes until the process ends."""
        self._given.update((question.recipe, one) for one in question.capabilities)


def _resolved(one: Capability) -> Capability:
    """Return the capability with the path that it leads to now; an invalid path is kept as it is."""
    if not one.is_path:
        return one
    try:
        path = os.path.realpath(user_path(one.subject))
    except (OSError, ValueError):  # such as a path with a null character, which no file has
        path = one.subject
    return Capability(one.kind, path, one.rate)

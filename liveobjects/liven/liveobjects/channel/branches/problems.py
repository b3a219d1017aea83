"""The problems that show branches to people: one each, with the possible actions.

A branch is a history of confirmed operations that lost when histories met. A person can *open* it, because it
is a channel of its own; *merge* it, which submits its operations again in their order; or *discard* it.
Several members may have kept the same branch. The first to claim it merges it, and then all drop it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.replica.control_operations import Claims, Settles, encode
from liven.liveobjects.channel.replica.disk.kept_branches import Branch, Branches
from liven.runtime.problems import Kind, Problem, Remedy, Report
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    Plain,
    Reference,
    Value,
)

_TOLD_MOST: Final = 100
"""Branches that are shown one by one; of more, only the newest."""
Viewer = Callable[[str, str], object]
"""Shows the objects of one channel with the state of another, given the names of both."""


class BranchProblems:
    """The branches of one channel in this process."""

    __slots__ = (
        "_branches",
        "_channel",
        "_claims",
        "_gone",
        "_in_use",
        "_report",
        "_rest",
        "_submit",
        "_viewer",
    )

    def __init__(
        self,
        channel: str,
        branches: Branches | None,
        submit: Callable[[bytes], object],
        report: Report,
        viewer: Callable[[], Viewer | None],
        in_use: Callable[[str], bool],
    ) -> None:
        self._channel = channel
        self._branches = branches
        self._submit = submit
        self._report = report
        self._viewer = viewer
        self._in_use = in_use
        self._claims: dict[str, bytes] = {}
        self._gone: dict[str, bytes] = {}
        """Members that claimed a branch and left the view; they may return with the rest of it."""
        self._rest: dict[str, list[bytes]] = {}
        """The operations of each branch being merged here that the channel has not accepted yet."""

    @property
    def names(self) -> list[str]:
        """Return the branches that wait for a decision, the oldest first."""
        return [] if self._branches is None else self._branches.names

    def read(self, name: str) -> Branch:
        """Read a branch. Raises KeyError if there is none of this name, MalformedError if it cannot be
        read."""
        if self._branches is None:
            raise KeyError(name)
        return self._branches.read(name)

    def tell_all(self) -> None:
        """Report each branch, or the newest of many, as a program starts."""
        names = self.names
        for name in names[-_TOLD_MOST:]:
            self.tell(name)
        if len(names) > _TOLD_MOST:
            what = f"{len(names) - _TOLD_MOST} older branches of this channel exist, too"
            self._say(what, "list them with `liven branches`, and discard those that are not needed")

    def tell(self, name: str) -> None:
        """Report one branch, or drop it at once if the channel lacks nothing of it."""
        try:
            branch = self.read(name)
        except (MalformedError, ValueError, msgpack.UnpackException) as error:
            self._say(f"the branch {name} cannot be read: {error}", "it is left unchanged")
            return
        if branch.missing or branch.folded:
            self._report(self._problem(branch))
        elif self._branches is not None:
            self._branches.forget(name)

    def _problem(self, branch: Branch) -> Problem:
        count, name = len(branch.missing), branch.name
        kept = (
            f"{count} confirmed operations are missing in it and were kept"
            if count
            else "the previous state was kept"
        )
        what = f"another history of this channel won; {kept}"
        if count and branch.folded:
            what += ", and more that are contained only in the state"
        remedies = [Remedy("open", lambda: self.open(name))]
        if count:
            remedies.append(Remedy(f"merge its {count} operations", lambda: self.merge(name)))
        remedies.append(Remedy("discard", lambda: self.discard(name)))
        advice = "open it, merge its operations, or discard it" if count else "open it, or discard it"
        return Problem(Kind.BRANCH, self._where, f"{what} as {name}", advice, remedies=tuple(remedies))

    # Decisions of people

    def open(self, name: str) -> None:
        """Show the object as it is in a branch."""
        viewer = self._viewer()
        if not self._there(name):
            return
        if viewer is None:
            self._say(
                f"this program cannot show objects; {name} stays",
                f"open the object's file with the channel {name} in place of {self._channel}",
            )
        else:
            viewer(self._channel, name)

    def merge(self, name: str) -> None:
        """Merge a branch: the first member to claim it submits its operations. If the channel did not accept
        all of them, continue with the first that it refused."""
        if not self._there(name) or self._is_open(name):
            return
        if name in self._claims and not self.is_left(name):
            self._say(f"{name} is being merged already", "wait for its operations")
            return
        self._give(encode(Claims(name)))

    def is_left(self, name: str) -> bool:
        """True if this process merges a branch and the channel has not accepted all of it."""
        return bool(self._rest.get(name))

    def discard(self, name: str) -> None:
        """Delete a branch on this computer."""
        if self._there(name) and not self._is_open(name) and self._branches is not None:
            self._branches.forget(name)

    # Operations of the order

    def claimed(self, name: str, author: bytes, *, own: bool) -> None:
        """Handle a claim to merge a branch. Only the first one counts."""
        if name not in self.names or self._claims.get(name, author) != author:
            return
        self._claims[name] = author
        if own:
            self._submit_missing(name)

    def _submit_missing(self, name: str) -> None:
        """Submit missing operations of a branch, up to the first that the channel refuses. The last one is
        followed by `Settles`."""
        if name not in self._rest:
            self._rest[name] = [*self.read(name).missing, encode(Settles(name))]
        rest = self._rest[name]
        taken = next((place for place, each in enumerate(rest) if not self._give(each)), len(rest))
        del rest[:taken]

    def settled(self, name: str, author: bytes, *, own: bool) -> None:
        """Drop a branch that was merged completely, once that is on disk. This process may have begun the
        merge in an earlier incarnation."""
        if not own and author not in (self._claims.get(name), self._gone.get(name)):
            if name in self.names:
                what = f"a member that did not claim {name} says it is merged; it stays"
                self._say(what, "check whether its operations are there, and then discard it")
            return
        for told in (self._claims, self._gone, self._rest):
            told.pop(name, None)
        if self._branches is not None and name in self.names:
            self._branches.when_durable(lambda: self._merged(name))

    def _merged(self, name: str) -> None:
        if self._branches is None or name not in self.names:
            return
        if self._in_use(name):
            what = f"{name} is merged, but it is open on this computer and stays"
            self._say(what, "close it, and discard it unless it has changes")
        else:
            self._branches.forget(name)

    def only(self, present: set[bytes]) -> None:
        """Release the claims of members that are gone, so that others may claim."""
        gone = {name: author for name, author in self._claims.items() if author not in present}
        self._gone.update(gone)
        self._claims = {name: author for name, author in self._claims.items() if name not in gone}

    def _there(self, name: str) -> bool:
        if name not in self.names:
            self._say(f"there is no branch {name} here", "it may already be merged or discarded")
            return False
        return True

    def _is_open(self, name: str) -> bool:
        """True if objects show a branch; people are warned then, because changes there would be lost."""
        if self._in_use(name):
            self._say(f"{name} is open on this computer and stays", "close it, and try again")
            return True
        return False

    def _give(self, payload: bytes) -> bool:
        """Submit an operation. Return False if the channel refuses it."""
        try:
            self._submit(payload)
        except ChannelBusyError as error:
            self._say(f"a branch was merged only in part: {error}", "merge again when the channel is idle")
            return False
        return True

    @property
    def _where(self) -> tuple[str, ...]:
        return "channels", self._channel

    def _say(self, what: str, advice: str) -> None:
        self._report(Problem(Kind.BRANCH, self._where, what, advice))


def on_branch(thing: Object, channel: str, branch: str) -> Object:
    """Return a recipe with one channel replaced by another. The recipe may name it as a parameter, or by the
    last part of its name in the communication system."""
    key, other = channel.rpartition("/")[2], branch.rpartition("/")[2]
    if isinstance(thing, Reference):
        named = other if thing.source is not None and thing.id == key else thing.id
        return replace(thing, id=named, parameters=_on_branch(thing.parameters, channel, branch))
    components = tuple(
        Component(each.id, on_branch(each.object, channel, branch), each.margin) for each in thing.components
    )
    return replace(thing, parameters=_on_branch(thing.parameters, channel, branch), components=components)


def _on_branch(parameters: tuple[Parameter, ...], channel: str, branch: str) -> tuple[Parameter, ...]:
    return tuple(replace(each, value=_value(each.value, channel, branch)) for each in parameters)


def _value(value: Value | None, channel: str, branch: str) -> Value | None:
    if isinstance(value, Reference | Composite):
        return on_branch(value, channel, branch)
    if isinstance(value, Plain) and value.type == "string" and value.text == channel:
        return replace(value, text=branch)
    return value

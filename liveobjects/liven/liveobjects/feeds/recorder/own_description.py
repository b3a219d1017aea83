"""The description of a feed as one recorder knows it. It grows with what is recorded, and each change is
written, joined with what other recorders wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from liven.liveobjects.feeds.author_names import AUTHORS
from liven.liveobjects.feeds.description import AUTHOR, FeedDescription, TypeEntry, read_description
from liven.liveobjects.feeds.encryption import without_keys
from liven.liveobjects.feeds.recorder.joined_description import (
    NAME_MOST,
    first_people,
    last_authors,
    write_joined,
)
from liven.liveobjects.feeds.recorder.log.marks import FORK_TYPE, GAP_TYPE
from liven.liveobjects.feeds.recorder.target.rules import Rules
from liven.liveobjects.feeds.recorder.value_types import PayloadType, TypeNames
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import compact
from liven.types.terms.value_types import ValueType


class OwnDescription:
    """The description of one feed, for one recorder."""

    def __init__(self, feed: Path, names: TypeNames, write: Callable[[Callable[[], None]], object]) -> None:
        """Read what is there; raise OSError or FeedError. `write` takes a function that writes the file, and
        calls it in a thread that may wait for the disk."""
        self._feed = feed
        self._names = names
        self._write = write
        self.content = read_description(feed)
        self.by_author = set(self.content.by_author())
        """The channels in which each author numbers what it says."""

    def begin(self, title: str, recipe: Object, rules: Rules) -> None:
        """Describe the recorded object and the rules. A title that is there stays if there is no new one."""
        bare = compact(without_keys(recipe))
        self._change(
            replace(self.content, title=title or self.content.title, recipe=bare, rules=rules.described())
        )

    def use_recipe(self, recipe: Object | None) -> None:
        """Describe another recipe to play the recording with; None for none."""
        self._change(replace(self.content, recipe="" if recipe is None else compact(without_keys(recipe))))

    def note_encrypted(self, channel: str) -> None:
        """Note that the records of a channel are sealed."""
        if channel not in self.content.encrypted:
            self._change(replace(self.content, encrypted=(*self.content.encrypted, channel)))

    def number_by_author(self, channel: str) -> None:
        """Note that a channel has no order."""
        self.by_author.add(channel)
        numbering = {**self.content.numbering, channel: AUTHOR}
        self._change(replace(self.content, numbering=numbering))

    def type_of(self, type_: ValueType) -> PayloadType:
        """Return a type of payloads, which is listed from now on."""
        made = self._names.of(type_)
        if made.name not in self.content.types:
            self._change(self.content.with_type(made.name, made.entry))
        return made

    def note_author(self, author: str, name: str, *, agreed: bool = True) -> None:
        """Note the name of an author, and that this person agreed to be recorded."""
        name = name[:NAME_MOST]
        known = self.content.other.get(AUTHORS)
        authors = dict(known) if isinstance(known, dict) else {}
        if authors.get(author) != name:
            authors.pop(author, None)  # the authors who said something last stay
            authors[author] = name
            people = (*self.content.people, *((name,) if agreed else ()))
            other = {**self.content.other, AUTHORS: last_authors(authors)}
            self._change(replace(self.content, people=first_people(people), other=other))

    def _change(self, content: FeedDescription) -> None:
        if content == self.content:
            return
        first = not self.content.types
        self.content = content
        if first:
            for notation in (GAP_TYPE, FORK_TYPE):
                self.content = self.content.with_type(notation, TypeEntry(notation))
        self._write(lambda: write_joined(self._feed, self.content))

"""The channels without a confirmed order that one recording records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from liven.liveobjects.channel.line.type_handshake import ValueClasses, WrongClassesError
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Numbered, Position
from liven.liveobjects.feeds.recorder.stream.archive import StreamArchive
from liven.liveobjects.feeds.recorder.stream.group_stream import GroupStream
from liven.liveobjects.feeds.recorder.stream.ordered_stream import OrderedStream
from liven.liveobjects.feeds.recorder.stream.value_stream import ValueStream
from liven.liveobjects.feeds.recorder.target.targets import Target
from liven.liveobjects.feeds.recorder.target.wire_classes import GROUP, ORDERED, VALUE, value_of
from liven.liveobjects.feeds.recorder.value_types import PayloadType
from liven.types.terms.value_types import ValueType

KINDS = (GROUP, VALUE, ORDERED)
"""The kinds of channels that are recorded by their authors' numbers."""
Stream: TypeAlias = GroupStream | OrderedStream


class RecordedStreams:
    """The streams by the name of their channel. `type_of` describes a type of values; `skip` gets a target
    that cannot be recorded, with the reason."""

    def __init__(
        self,
        system: ChannelSystem,
        hand_over: HandOver,
        resumed: Mapping[Numbered, Position],
        type_of: Callable[[ValueType], PayloadType],
        skip: Callable[[Target, str], object],
        named: Callable[[str, str], object],
        is_withheld: Callable[[], bool],
        objected: Callable[[Target, Sequence[str]], object],
        title: str,
    ) -> None:
        self._system = system
        self._hand_over = hand_over
        self._resumed = resumed
        self._type_of = type_of
        self._skip = skip
        self._named = named
        self._is_withheld = is_withheld
        self._objected = objected
        self._title = title
        self._objections: dict[str, Sequence[str]] = {}
        """Those who object now, by channel."""
        self._streams: dict[str, Stream] = {}
        self._archives: list[StreamArchive] = []

    def __contains__(self, channel: str) -> bool:
        return channel in self._streams

    def __len__(self) -> int:
        return len(self._archives)

    def record(self, target: Target) -> None:
        """Begin to record a channel."""
        why = self._opened(target)
        if why:
            self._refused(target, why)

    def archive(self, name: str, channel: str, *, is_value: bool) -> StreamArchive:
        """Return a new archive for values that come from elsewhere."""

        def is_withheld() -> bool:
            return bool(self._objections.get(channel)) or self._is_withheld()

        made = StreamArchive(
            name, channel, self._hand_over, self._last(channel), is_withheld, is_value=is_value
        )
        self._archives.append(made)
        return made

    def describe(self, archive: StreamArchive, value: ValueType) -> None:
        """Tell an archive the type of its values."""
        archive.type = self._type_of(value)

    @property
    def objections(self) -> tuple[str, ...]:
        """The names of those who object now."""
        return tuple(name for names in self._objections.values() for name in names)

    def close(self) -> None:
        """End all of them in order."""
        streams, self._streams = self._streams, {}
        for stream in streams.values():
            stream.close()
        for archive in self._archives:
            archive.close()
        self._archives.clear()

    def _opened(self, target: Target) -> str:
        """Open a channel; return why that is not possible, or nothing."""
        name, classes = target.channel, target.classes
        called = target.object or name.rpartition("/")[2]
        archive = self.archive(called, name, is_value=target.kind == VALUE)

        def learned(found: ValueClasses) -> None:
            value = value_of(found)
            if found.kind != target.kind:
                other = f"its members use it as a channel of the kind “{found.kind}”, not “{target.kind}”"
                self._refused(target, other)
            elif value is not None:
                self.describe(archive, value)

        if classes is not None:
            learned(classes)

        def refused(why: str) -> None:
            self._refused(target, why)

        def objected(names: Sequence[str]) -> None:
            self._objections[name] = names
            self._objected(target, names)

        if target.kind == ORDERED:
            ordered = self._streams[name] = OrderedStream(
                self._system, name, archive, learned, refused, self._named, objected, self._title
            )
            return ordered.open(classes)
        made = ValueStream if target.kind == VALUE else GroupStream

        stream = self._streams[name] = made(
            self._system, name, archive, learned, refused, self._named, objected, self._title
        )
        try:
            stream.open(classes, self._last(name))
        except WrongClassesError as error:
            return str(error)
        return ""

    def _refused(self, target: Target, why: str) -> None:
        """Give up a channel."""
        stream = self._streams.pop(target.channel, None)
        if stream is not None:
            self._system.dispatcher.call_soon(stream.close)
            self._skip(target, why)

    def _last(self, channel: str) -> dict[str, int]:
        rows = self._resumed.items()
        return {key.author: one.serial for key, one in rows if key.channel == channel and key.author}

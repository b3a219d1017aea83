"""The recorder as an object: it records what its recipe names, for as long as it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import feed_to_write, feeds_root
from liven.liveobjects.feeds.recorder.log.limits import BadLimitError, Limits, bytes_of, seconds_of
from liven.liveobjects.feeds.recorder.target.rules import Rules
from liven.liveobjects.feeds.recorder.target.targets import TargetFinder
from liven.runtime.capability.capability import Capability, reads_and_writes_folder
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object
from liven.runtime.user_folders import UserFolders
from liven.types.declare import Ref, proxy

if TYPE_CHECKING:
    from liven.liveobjects.feeds.recorder.recording import RecordingStatus
    from liven.liveobjects.feeds.recorder.stream.object_stream import ObjectStream


class RecordingWatcher:
    """The program's view of its recordings; a program that shows their progress offers one as a service."""

    def __init__(self) -> None:
        self.recordings: list[Callable[[], RecordingStatus]] = []
        """A function for each recording that returns its present state."""
        self.ended: list[str] = []
        """The reasons of those that ended by themselves."""
        self.when_ended: Callable[[], object] = lambda: None
        """Called when one ends by itself."""


@proxy(id="D79430D2F297D0B57807C0B427CFDD55", alias="liven:recorder")
class Recorder:
    """Records `target`, a channel or an object with everything inside it, into the feed of that name. An
    object without a channel is run here, and the values of its stream are recorded.
    `recipe` is the text of a recipe instead, of which not every part needs to be known here.

    `include` and `exclude` are patterns separated by semicolons; `keep` is a size or an age beyond which the
    oldest records are deleted; at `limit` the recording ends.
    """

    def __init__(
        self,
        context: Context,
        feed: str,
        target: Ref[AnyObject] | None = None,
        recipe: str = "",
        title: str = "",
        include: str = "",
        exclude: str = "",
        limit: str = "",
        floor: str = "",
        keep: str = "",
        recorder: str = "recorder",
    ) -> None:
        from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions  # loads numpy
        from liven.liveobjects.feeds.recorder.same_object import demand_same_object

        self.context = context
        self._watcher = _watcher(context)
        try:
            thing = read_object(recipe if target is None else target.xml)
            options = RecordingOptions(
                feed_to_write(feed, feeds_root(UserFolders.of_user(os.environ))),
                recorder,
                title,
                Rules.of(_patterns(include), _patterns(exclude)),
                limits_of(limit, floor, keep),
            )
            system, catalogue = context.service(ChannelSystem), context.service(TypeKnowledge).catalogue
            finder = TargetFinder(system.network, catalogue)
            described = read_description(options.feed.path)
            demand_same_object(options.feed.name, described, thing, finder)  # before a log is made
            self.recording = Recording(
                system,
                catalogue,
                options,
                context.report,
                context.from_outside(self._over),
            )
        except (FeedError, ReadError) as error:
            raise CallFailedError(str(error)) from None
        except OSError as error:
            raise CallFailedError(explain_os_error(error)) from None
        self._watcher.recordings.append(self._status)
        self._stream: ObjectStream | None = None
        self._source: ProxyHandle | None = None
        context.call_soon(lambda: self._begin(thing))

    @staticmethod
    def capabilities(feed: str, keep: str = "") -> tuple[Capability, ...]:
        """State what a recipe with these parameters reaches: a path leads out of the folder of feeds, and in
        a feed that there is already, or with a limit, records may be deleted."""
        path = feed_to_write(feed, feeds_root(UserFolders.of_user(os.environ))).path
        if "/" in feed:
            return reads_and_writes_folder(feed)
        return reads_and_writes_folder(str(path)) if keep or path.exists() else ()

    def on_end(self) -> None:
        """End the recording in order."""
        if self._stream is not None:
            self._stream.close()
        source, self._source = self._source, None
        if source is not None:
            source.close()
        self.recording.close()

    def _begin(self, thing: Object) -> None:
        """Record the channels of an object or, if it has none, the values that it gives here."""
        try:
            has_channels = self.recording.begin(thing)
        except FeedError as error:
            self._over(str(error))
            return
        if not has_channels:
            self.context.dereference(thing, "recorded").then(lambda reply: self._runs(thing, reply))

    def _runs(self, thing: Object, reply: Reply[Any]) -> None:
        from liven.liveobjects.feeds.recorder.stream.object_stream import (
            ObjectStream,
            replayed_recipe,
            stream_name,
        )
        from liven.liveobjects.feeds.recorder.value_types import class_of
        from liven.liveobjects.feeds.value_face import face_of

        name, channel = stream_name(thing)
        if reply.error is not None:
            self._over(f"{name} does not run")
            return
        handle = self._source = reply.value()
        face = face_of(handle.endpoints)
        if face is None:
            self._over(f"{name} is on no channel and gives no values, so there is nothing to record")
            return
        value_class = class_of(self.context.service(TypeKnowledge).catalogue, face.value)
        recipe = replayed_recipe(thing, value_class) if value_class else None
        archive = self.recording.add_stream(name, channel, face.value, recipe)
        handle.on_end(lambda _: self._over(f"{name} has ended") if self._source is handle else None)
        self._stream = ObjectStream(face, archive, self.context.report)

    def _status(self) -> RecordingStatus:
        return self.recording.status

    def _over(self, why: str) -> None:
        self._watcher.ended.append(why)
        self.context.report(f"the recording ended: {why}", "what was recorded is kept")
        self._watcher.when_ended()


def limits_of(limit: str = "", floor: str = "", keep: str = "") -> Limits:
    """Return the limits that a person wrote; raise BadLimitError."""
    limits = Limits(bytes_of(limit) if limit else None)
    size, age = None, None
    if keep:
        if re.fullmatch(r"[\d.]+ ?m", keep.strip(), re.IGNORECASE):
            raise BadLimitError(f"{keep!r} may be megabytes or minutes; write {keep}B or {keep}in")
        by_age = keep.strip().lower().endswith(("s", "min", "h", "d", "w"))
        size, age = (None, seconds_of(keep)) if by_age else (bytes_of(keep), None)
    return Limits(limits.most_bytes, bytes_of(floor) if floor else limits.floor, size, age)


def _patterns(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


def _watcher(context: Context) -> RecordingWatcher:
    try:
        return context.service(RecordingWatcher)
    except CallFailedError:
        return RecordingWatcher()

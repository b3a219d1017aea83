"""A recording: the channels of a recipe and of everything inside it, in one log.

Objects that are added later are found in the operations that add them, so nobody needs to have them in view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.line.type_handshake import ValueClasses
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.errors import LockedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.recorder.channel.channel_archive import ChannelArchive
from liven.liveobjects.feeds.recorder.channel.channel_hold import ChannelHold
from liven.liveobjects.feeds.recorder.channel.history_hold import HistoryArchive, HistoryHold
from liven.liveobjects.feeds.recorder.channel.row_encoder import RowEncoder
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Numbered, Position
from liven.liveobjects.feeds.recorder.log.limits import Limits
from liven.liveobjects.feeds.recorder.log.log_thread import Condition, LogStatus, LogThread
from liven.liveobjects.feeds.recorder.own_description import OwnDescription
from liven.liveobjects.feeds.recorder.same_object import demand_same_object
from liven.liveobjects.feeds.recorder.stream.archive import StreamArchive
from liven.liveobjects.feeds.recorder.stream.recorded_streams import KINDS, RecordedStreams
from liven.liveobjects.feeds.recorder.target.rules import Rules
from liven.liveobjects.feeds.recorder.target.targets import CHECKPOINTED, Found, Skipped, Target, TargetFinder
from liven.liveobjects.feeds.recorder.value_types import PayloadType, TypeNames
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.reference.model import Object
from liven.types.catalogue.catalogue import Catalogue
from liven.types.terms.value_types import OptionalOf, ValueType

CHANNELS_MOST: Final = 10_000
STATE_EVERY: Final = 10_000
"""Operations of a channel after which a state is recorded, so that a moment is rebuilt from few of them."""
STATE_SECONDS: Final = 600.0
"""Seconds after which that happens at the latest, if there was an operation."""
_LOOK_EVERY: Final = 1.0
_RECORDERS_MOST: Final = 50
_SOMEBODY: Final = "somebody"


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """The choices of the person who records."""

    feed: FeedFolder
    recorder: str = "recorder"
    title: str = ""
    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    is_history: bool = False
    """True for the history that a program keeps by itself. It follows the channels that objects here have
    open, and announces itself to nobody."""
    state_every: int = STATE_EVERY
    state_seconds: float = STATE_SECONDS


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """The state of a recording, for people and programs."""

    folder: Path
    log: LogStatus
    channels: int
    waiting: int
    """Records that are not written yet."""
    skipped: tuple[Skipped, ...]
    objections: tuple[str, ...]
    """The names of those who object to being recorded."""


@dataclass(slots=True)
class _Recorded:
    """One channel."""

    target: Target
    archive: ChannelArchive
    hold: ChannelHold | HistoryHold
    objections: tuple[str, ...] = ()
    state_at: float = 0.0
    """The time at which the last state was asked for."""


class Recording:
    """One recording. `say` tells the person about it; `ended` is called when it ends by itself."""

    def __init__(
        self,
        system: ChannelSystem,
        catalogue: Catalogue | None,
        options: RecordingOptions,
        say: Callable[[str, str], object],
        ended: Callable[[str], object],
        hand_over: HandOver | None = None,
    ) -> None:
        """Open the log; raise OSError or FeedError."""
        self._system = system
        self._options = options
        self._say = say
        self._ended = ended
        self._finder = TargetFinder(system.network, catalogue)
        self._hand_over = hand_over or HandOver()
        names = TypeNames(catalogue)
        self._description = OwnDescription(options.feed.path, names, lambda write: self._log.describe(write))
        self._log = self._opened()
        self._recorded: dict[str, _Recorded] = {}
        self._streams = RecordedStreams(
            system,
            self._hand_over,
            self._log.resumed,
            self._description.type_of,
            lambda target, why: self._skip(Skipped(target.object, target.type, why)),
            partial(self._description.note_author, agreed=False),
            lambda: any(each.objections for each in self._recorded.values()),
            self._objected_to_stream,
            options.title or options.feed.name,
        )
        self._skipped: dict[Skipped, None] = {}
        self._timer: Entry | None = None
        self._closed = False

    def _opened(self) -> LogThread:
        """Open the first log of that name that no other program writes."""
        for name in _numbered(self._options.recorder):
            try:
                folder = self._options.feed.recorder(name)
                limits, by_author = self._options.limits, self._description.by_author
                return LogThread(
                    folder,
                    self._hand_over,
                    limits,
                    self._changed_there,
                    by_author=by_author,
                    warn=self._warned_there,
                    want_states=self._wanted_there,
                )
            except LockedError as error:
                locked = error
        raise locked

    @property
    def status(self) -> RecordingStatus:
        """The present state."""
        objections = {name: None for each in self._recorded.values() for name in each.objections}
        objections |= dict.fromkeys(name or _SOMEBODY for name in self._streams.objections)
        return RecordingStatus(
            self._log.folder,
            self._log.status,
            len(self._recorded) + len(self._streams),
            self._hand_over.waiting,
            tuple(self._skipped),
            tuple(objections),
        )

    def begin(self, recipe: Object) -> bool:
        """Begin to record an object and everything inside it. Return False if there is no channel in it.
        Raises OtherObjectError or LargeRecipeError, and records nothing."""
        demand_same_object(self._options.feed.name, self._description.content, recipe, self._finder)
        self._description.begin(self._options.title, recipe, self._options.rules)
        self._log.start()
        found = list(self._finder.inside(recipe))
        self._take(found)
        self._timer = self._system.dispatcher.call_later(_LOOK_EVERY, self._look)
        return bool(found)

    def add_stream(self, name: str, channel: str, value: ValueType, recipe: Object | None) -> StreamArchive:
        """Return an archive for the values of an object that runs here, under the name of a channel that
        `recipe` leads to, in place of the object's own. Without a recipe, only its events can be played."""
        self._description.number_by_author(channel)
        archive = self._streams.archive(name, channel, is_value=True)
        self._streams.describe(archive, value)
        self._description.use_recipe(recipe)
        return archive

    def close(self) -> None:
        """End in order: what was confirmed is on the disk afterwards."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for each in self._recorded.values():
            each.hold.close()
        self._recorded.clear()
        self._streams.close()
        self._log.close()

    # The channels

    def _take(self, found: Sequence[Found]) -> None:
        for each in () if self._closed else found:
            if isinstance(each, Skipped):
                self._skip(each)
            elif self._options.rules.leaves_out(*_texts(each)):
                self._skip(Skipped(each.object, each.type, "a rule leaves it out"), quietly=True)
            elif each.channel in self._recorded or each.channel in self._streams:
                continue
            elif each.kind == CHECKPOINTED:
                self._record(each)
            elif each.kind in KINDS:
                if not self._options.is_history:  # that keeps what has an order
                    self._record_stream(each)
            else:
                self._skip(Skipped(each.object, each.type, f"it is on a channel of the kind “{each.kind}”"))

    def _skip(self, skipped: Skipped, *, quietly: bool = False) -> None:
        if skipped not in self._skipped and len(self._skipped) < CHANNELS_MOST:
            self._skipped[skipped] = None
            if not quietly:
                self._say(f"{skipped.object or 'an object'} is not recorded: {skipped.why}", "")

    def _has_room(self, target: Target) -> bool:
        if len(self._recorded) + len(self._streams) < CHANNELS_MOST:
            return True
        self._skip(Skipped(target.object, target.type, f"{CHANNELS_MOST:,} channels are recorded already"))
        return False

    def _record_stream(self, target: Target) -> None:
        """Record a channel without an order, in which each author numbers what it says."""
        if self._has_room(target) and self._options.rules.takes(*_texts(target)):
            self._description.number_by_author(target.channel)
            self._note_encrypted(target)
            self._streams.record(target)

    def _note_encrypted(self, target: Target) -> None:
        if target.encrypted:
            self._description.note_encrypted(target.channel)

    def _record(self, target: Target) -> None:
        if not self._has_room(target):
            return
        self._note_encrypted(target)
        wanted = self._options.rules.takes(*_texts(target))
        make = HistoryArchive if self._options.is_history else ChannelArchive
        archive = make(
            self._encoder(target),
            self._hand_over if wanted else None,
            self._options.title or self._options.feed.name,
            self._log.resumed.get(Numbered(target.channel), Position(0, b"")),
            lambda recipes: self._found_inside(target, recipes),
            self._description.note_author,
            lambda names: self._objected(target.channel, names),
        )
        hold = self._hold(target, archive)
        recorded = self._recorded[target.channel] = _Recorded(target, archive, hold)
        recorded.state_at = self._system.dispatcher.now()
        why = hold.open()
        if why:
            del self._recorded[target.channel]
            self._skip(Skipped(target.object, target.type, why))

    def _hold(self, target: Target, archive: ChannelArchive) -> ChannelHold | HistoryHold:
        if isinstance(archive, HistoryArchive):
            return HistoryHold(self._system, target.channel, archive)
        return ChannelHold(
            self._system,
            target.channel,
            target.classes,
            archive,
            lambda classes: self._learned(archive, target, classes),
        )

    def _encoder(self, target: Target) -> RowEncoder:
        name = target.object or target.channel.rpartition("/")[2]
        classes = {} if target.classes is None else dict(target.classes.classes)
        message, state = classes.get("MessageClass"), classes.get("CheckpointClass")
        return RowEncoder(
            name,
            target.channel,
            self._type(message),
            self._type(state),
            None if state is None else self._type(OptionalOf(state)),
            target.seed,
        )

    def _type(self, type_: ValueType | None) -> PayloadType | None:
        return None if type_ is None else self._description.type_of(type_)

    def _learned(self, archive: ChannelArchive, target: Target, classes: ValueClasses) -> None:
        if classes.kind == CHECKPOINTED:
            archive.with_types(self._encoder(replace(target, classes=classes)))
        else:
            kind = f"its members use it as a channel of the kind “{classes.kind}”; name that with --kind"
            self._skip(Skipped(target.object, target.type, kind))

    def _found_inside(self, within: Target, recipes: Sequence[str]) -> None:
        """Record what a state or an operation brought, at the end of this turn."""
        found = [each for recipe in recipes for each in self._finder.in_text(recipe, within.object)]
        self._system.dispatcher.call_soon(partial(self._take, found))

    def _objected(self, channel: str, names: Sequence[str]) -> None:
        recorded = self._recorded.get(channel)
        if recorded is None:
            return
        recorded.objections = tuple(name or _SOMEBODY for name in names)
        self._tell_objections(recorded.target.object or channel, recorded.objections)

    def _objected_to_stream(self, target: Target, names: Sequence[str]) -> None:
        called = target.object or target.channel
        self._tell_objections(called, [name or _SOMEBODY for name in names])

    def _tell_objections(self, called: str, names: Sequence[str]) -> None:
        if names:
            who = " and ".join(names)
            self._say(f"{called} is not recorded while {who} is there, who objects to it", "")
        else:
            self._say(f"{called} is recorded again: nobody who is there objects", "")

    # The log and the time

    def _changed_there(self, status: LogStatus) -> None:
        """Take a new condition of the log, in its thread."""
        self._system.dispatcher.post(lambda: self._changed(status))

    def _warned_there(self, what: str) -> None:
        """Tell what went wrong beside the records, in the thread of the log."""
        self._system.dispatcher.post(lambda: self._say(what, "the recording goes on"))

    def _wanted_there(self, channels: frozenset[str]) -> None:
        """Ask for states before older ones are deleted, in the thread of the log."""
        self._system.dispatcher.post(lambda: self._want_states(channels))

    def _want_states(self, channels: frozenset[str]) -> None:
        for channel in channels & self._recorded.keys():
            self._recorded[channel].archive.wants_state = True

    def _changed(self, status: LogStatus) -> None:
        if self._closed:
            return
        match status.condition:
            case Condition.PAUSED:
                self._say(f"the recording waits: {status.why}", "it goes on by itself when there is room")
            case Condition.RECORDS:
                for each in self._recorded.values():
                    each.archive.wants_state = True  # something may be missing
                self._say("the recording goes on", "")
            case Condition.ENDED:
                self.close()
                self._ended(status.why)

    def _look(self) -> None:
        """Ask for states that are due."""
        now = self._system.dispatcher.now()
        self._log.channels = frozenset(self._recorded)
        for each in self._recorded.values():
            if isinstance(each.hold, HistoryHold):
                each.hold.look()
            archive = each.archive
            waited = now - each.state_at
            long = archive.since_state >= self._options.state_every
            late = archive.since_state and waited >= self._options.state_seconds
            if (long or late or archive.wants_state) and waited >= _LOOK_EVERY:
                each.state_at = now
                each.hold.archive_state()
        self._timer = self._system.dispatcher.call_later(_LOOK_EVERY, self._look)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        if number > _RECORDERS_MOST:
            return
        yield f"{name}-{number}"


def _texts(target: Target) -> tuple[str, ...]:
    """Return the texts that rules are held against."""
    name = target.object.rpartition("/")[2]
    return target.object, name, target.channel, target.channel.rpartition("/")[2], target.type

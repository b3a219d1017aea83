"""`liven feeds record`: records an object, a channel, or a desktop with everything on it."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.app.network.cli import complain, many
from liven.app.network.settings import add_arguments
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import readable_size
from liven.runtime.os_error_text import explain_os_error

if TYPE_CHECKING:
    from liven.liveobjects.channel.composition import Channels
    from liven.liveobjects.feeds.recorder.object import RecordingWatcher
    from liven.liveobjects.feeds.recorder.recording import RecordingStatus
    from liven.runtime.objects.node import Node
    from liven.runtime.reference.model import Object

DESKTOP: Final = "desktop"
_EVERY: Final = 0.5
"""Seconds between two progress lines on a terminal."""
_JSON_EVERY: Final = 1.0
_CLEAR: Final = "\r\x1b[K"
_SUFFIX: Final = ".liveobject"
_NO_STATE: Final = b"\xc0"
_KINDS: Final = ("checkpointed", "ordered", "group", "value")
_PATTERN_HELP: Final = "a name, path, channel or type with * and ?, or re:EXPRESSION; repeatable"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds record`."""
    what = f"a {_SUFFIX} file, a channel (NAME or NETWORK/FOLDER/NAME), or `{DESKTOP}` for your own one"
    parser.add_argument("target", metavar="TARGET", help=what)
    parser.add_argument("--feed", required=True, metavar="NAME", help="the feed to record into, or its path")
    parser.add_argument("--title", default="", help="its title, which everybody who is recorded reads")
    parser.add_argument("--include", action="append", default=[], metavar="PATTERN", help=_PATTERN_HELP)
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN", help="the same, left out"
    )
    parser.add_argument("--for", dest="span", default="", metavar="TIME", help="end after 90s, 10min, 2h …")
    parser.add_argument("--limit", default="", metavar="SIZE", help="end at this size, such as 2GB")
    parser.add_argument("--keep", default="", metavar="SIZE|AGE", help="delete the oldest beyond 5GB or 7d")
    parser.add_argument(
        "--floor", default="", metavar="SIZE", help="leave this much of the disk free (256MB)"
    )
    parser.add_argument("--recorder", default="recorder", metavar="NAME", help="the name of this recorder")
    parser.add_argument("--json", action="store_true", help="print the progress as lines of JSON")
    parser.add_argument("--network", default="home", metavar="NAME", help="the name of the network (home)")
    kind = "the kind of a channel that is named: checkpointed (the default), ordered, group or value"
    parser.add_argument("--kind", choices=_KINDS, default=_KINDS[0], metavar="KIND", help=kind)
    wait = "wait for a channel that nobody has open yet; --for counts from its first event"
    parser.add_argument("--wait", action="store_true", help=wait)
    reach = "a file or folder that an object which runs here may reach; repeatable"
    parser.add_argument("--allow", type=Path, action="append", default=[], metavar="PATH", help=reach)
    host = "a computer that it may exchange data with, HOST:PORT; repeatable"
    parser.add_argument("--allow-host", action="append", default=[], metavar="HOST", help=host)
    add_arguments(parser)
    parser.epilog = (
        "Everybody who has a recorded object open sees who records it. An object that is on no channel runs\n"
        "here, and its values are recorded. A channel that nobody has open, and that no log here has, is\n"
        "refused, because its name may be mistyped; --wait waits for it. Ctrl-C ends in order.\n"
        "Exit code: 0 recorded, 1 something could not be recorded, 2 wrong use."
    )


def run(arguments: argparse.Namespace) -> int:
    """Record until the time or the size is over, or until a signal."""
    from liven.app.network.cli import config_of  # slow to import
    from liven.liveobjects.channel.composition import Channels
    from liven.liveobjects.feeds.feed_folder import feed_to_write, feeds_root
    from liven.liveobjects.feeds.recorder.log.limits import seconds_of
    from liven.runtime.process.headless import RunOptions, run_headless
    from liven.runtime.reference.model import Document
    from liven.runtime.reference.xml import write
    from liven.runtime.user_folders import UserFolders

    folders = UserFolders.of_user(os.environ)
    seconds = seconds_of(arguments.span) if arguments.span else None
    folder = feed_to_write(arguments.feed, feeds_root(folders)).path
    try:
        target = _target(arguments, folders)
    except ValueError as error:
        return complain(str(error), BAD_USE)
    try:
        missing = "" if arguments.wait else _missing(arguments, folders)
    except OSError as error:
        return complain(explain_os_error(error), ENVIRONMENT)
    if missing:
        return complain(missing, NO)
    channels = Channels(config_of(arguments), folders, network=arguments.network)
    _introduce(channels, folders)
    waits = seconds if arguments.wait else None
    host = _Host(channels, _Progress(arguments.feed, as_json=arguments.json), waits)
    name = f"recording {arguments.feed}"
    options = RunOptions(
        {name: write(Document(_recipe(arguments, target)))},
        seconds=None if arguments.wait else seconds,
        as_json=arguments.json,
        allowed=(folder, *arguments.allow),
        allowed_hosts=tuple(arguments.allow_host),
    )
    code = run_headless(options, host)
    host.progress.end(host.last)
    return NO if code or host.last is None else OK


def _target(arguments: argparse.Namespace, folders: object) -> Object:
    """Return the recipe of what is recorded; raise ValueError."""
    from liven.app.opening.source import UnopenableError, recipe_in
    from liven.app.serve.kept_channels import names_of
    from liven.app.welcome_desktop.location import home_desktop
    from liven.liveobjects.channel.api.recipes import channel_reference
    from liven.runtime.files import read_regular
    from liven.runtime.user_folders import UserFolders

    assert isinstance(folders, UserFolders)
    path = Path(arguments.target)
    if arguments.target == DESKTOP:
        path = home_desktop(folders)
    elif not _is_file(path):
        return channel_reference(names_of([arguments.target], arguments.network)[0], arguments.kind)
    try:
        return recipe_in(read_regular(path, _largest()))
    except OSError as error:
        raise ValueError(explain_os_error(error, path)) from None
    except UnopenableError as error:
        raise ValueError(f"{path}: {error}") from None


def _missing(arguments: argparse.Namespace, folders: object) -> str:
    """Return a sentence if a channel was named that nobody has, and no recording of it goes on."""
    from liven.app.feeds.channel_search import missing_channel
    from liven.app.network.cli import config_of
    from liven.app.serve.kept_channels import names_of
    from liven.liveobjects.feeds.feed_folder import feed_to_write, feeds_root, is_feed
    from liven.runtime.user_folders import UserFolders

    assert isinstance(folders, UserFolders)
    is_file = arguments.target == DESKTOP or _is_file(Path(arguments.target))
    if is_file or is_feed(feed_to_write(arguments.feed, feeds_root(folders)).path):
        return ""
    (channel,) = names_of([arguments.target], arguments.network)
    if sys.stderr.isatty():
        sys.stderr.write("looking for the channel …\n")
    root = folders.data / "channels"
    return missing_channel(channel, root, config_of(arguments), arguments.network)


def _is_file(path: Path) -> bool:
    return path.suffix == _SUFFIX or path.is_file()


def _largest() -> int:
    from liven.app.opening.source import LARGEST_FILE

    return LARGEST_FILE


def _recipe(arguments: argparse.Namespace, target: Object) -> Object:
    from liven.runtime.reference.model import Parameter, Plain, Reference
    from liven.runtime.reference.xml import compact

    texts = {
        "recipe": compact(target),
        "feed": arguments.feed,
        "title": arguments.title,
        "include": ";".join(arguments.include),
        "exclude": ";".join(arguments.exclude),
        "limit": arguments.limit,
        "floor": arguments.floor,
        "keep": arguments.keep,
        "recorder": arguments.recorder,
    }
    given = [Parameter(name, Plain("string", text)) for name, text in texts.items() if text]
    return Reference("liven:recorder", tuple(given))


def _introduce(channels: Channels, folders: object) -> None:
    """Let the others read the name of the person who records."""
    from liven.app.identity.person import PersonError, person
    from liven.runtime.user_folders import UserFolders

    assert isinstance(folders, UserFolders)
    try:
        name = person(folders.config).known_as
    except PersonError:
        name = ""
    channels.introduce_with(lambda: name)


class _Progress:
    """The progress line, or lines of JSON."""

    def __init__(self, feed: str, *, as_json: bool) -> None:
        self._feed = feed
        self._json = as_json
        self._before = 0, time.monotonic()
        self._drawn = False

    @property
    def every(self) -> float:
        """Seconds between two calls of `show`."""
        return _JSON_EVERY if self._json else _EVERY

    def show(self, status: RecordingStatus) -> None:
        """Show the present state."""
        now = time.monotonic()
        records, at = self._before
        rate = (status.log.records - records) / max(now - at, 1e-3)
        self._before = status.log.records, now
        if self._json:
            print(json.dumps(_facts(self._feed, status, rate)), flush=True)
        elif sys.stderr.isatty():
            log = status.log
            text = (
                f"{log.condition.value} {self._feed}: {many(log.records, 'record')}, {rate:,.0f}/s, "
                f"{readable_size(log.size)}, {many(status.channels, 'channel')}"
            )
            why = f" – {log.why}" if log.why else ""
            lost = f", {log.lost:,} lost" if log.lost else ""
            sys.stderr.write(f"{_CLEAR}{text}{lost}{why}")
            sys.stderr.flush()
            self._drawn = True

    def end(self, last: RecordingStatus | None) -> None:
        """Show what was recorded in all."""
        if self._drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
        if last is None:
            return
        if self._json:
            print(json.dumps({**_facts(self._feed, last, 0.0), "doing": "recorded"}), flush=True)
        else:
            log = last.log
            print(f"{many(log.records, 'record')} and {readable_size(log.size)} in {last.folder}", flush=True)


def _facts(feed: str, status: RecordingStatus, rate: float) -> dict[str, object]:
    log = status.log
    return {
        "doing": "record",
        "feed": feed,
        "folder": str(status.folder),
        "condition": log.condition.value,
        "why": log.why,
        "records": log.records,
        "rate": round(rate, 1),
        "bytes": log.size,
        "channels": status.channels,
        "waiting": status.waiting,
        "lost": log.lost,
        "skipped": [{"object": one.object, "why": one.why} for one in status.skipped],
        "objections": list(status.objections),
    }


def end_of_log(folder: Path) -> int:
    """Return the sequence after the last record of a log that may not be there yet."""
    from liven.liveobjects.feeds.segment.reader import Log

    return Log(folder).end if folder.is_dir() else 0


def has_event(folder: Path, since: int = 0) -> bool:
    """Return True if a log has, from a sequence on, more than what a recorder writes that is alone on a
    channel: the state of a channel without one, and notes."""
    from liven.liveobjects.feeds.record import CHECKPOINT, NOTES
    from liven.liveobjects.feeds.segment.reader import Log

    notes = CHECKPOINT | NOTES
    return any(
        not one.flags & notes or (one.flags & notes == CHECKPOINT and one.payload != _NO_STATE)
        for _, one in Log(folder).records(since, None, lambda _damage: None)
    )


class _Host:
    """The services of the program, and the progress of its recording."""

    def __init__(self, channels: Channels, progress: _Progress, seconds: float | None = None) -> None:
        """With `seconds`, end so long after the first event."""
        self.progress = progress
        self._seconds = seconds
        self.last: RecordingStatus | None = None
        self._channels = channels
        self._watcher: RecordingWatcher | None = None
        self._node: Node | None = None
        self._look_again = True
        self._since: int | None = None

    @property
    def defaults(self) -> Mapping[str, Object]:
        """Return the defaults of the channels."""
        return self._channels.defaults

    def bring_into(self, node: Node) -> None:
        """Offer channels, and a place where the recorder shows its state."""
        from liven.liveobjects.feeds.recorder.object import RecordingWatcher

        self._channels.bring_into(node)
        watcher = self._watcher = RecordingWatcher()
        watcher.when_ended = lambda: signal.raise_signal(signal.SIGTERM)
        node.services[RecordingWatcher] = lambda: watcher
        self._node = node
        node.dispatcher.call_later(self.progress.every, self._look)

    def _look(self) -> None:
        if self._watcher is not None and self._node is not None and self._look_again:
            for status in self._watcher.recordings:
                self.last = status()
                self.progress.show(self.last)
                if self._seconds is not None and self._has_event(self.last):
                    self._node.dispatcher.call_later(self._seconds, self._watcher.when_ended)
                    self._seconds = None
            self._node.dispatcher.call_later(self.progress.every, self._look)

    def _has_event(self, status: RecordingStatus) -> bool:
        """Return True once something was recorded, apart from what was in the log before."""
        if self._since is None:
            self._since = end_of_log(status.folder)
        return bool(status.log.records) and has_event(status.folder, self._since)

    def farewell(self, done: Callable[[], object]) -> None:
        """Take the last state, and let the channels leave."""
        self._look_again = False
        for status in self._watcher.recordings if self._watcher is not None else ():
            self.last = status()
        self._channels.farewell(done)

    def close(self) -> None:
        """Release everything."""
        self._channels.close()

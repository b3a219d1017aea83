"""The composition root: everything that one desktop program consists of, put together once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from liven.app.confined.programs import WITH_VIEWS
from liven.app.identity.person import Person, rename
from liven.app.instance.slot import SEATS, InstanceSlot
from liven.app.network.channel_titles import drop_titles, write_titles
from liven.app.network.recording_settings import objects_or_told
from liven.app.network_panel.member_names import person_at
from liven.app.opening.source import UnopenableError, recipe_in
from liven.app.palette.sections import PaletteSections, find_samples
from liven.app.time_travel.program_history.histories import Histories
from liven.app.time_travel.program_history.history_settings import settings_or_told
from liven.liveobjects.channel.api.encryption import may_be_encrypted
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.process.titles import ChannelTitles
from liven.liveobjects.content_sniffing import other_thing
from liven.liveobjects.desktop.search.picture_store import PictureStore
from liven.liveobjects.desktop.search.text_cache import TextStore
from liven.liveobjects.presence.participant import Participant
from liven.runtime.capability import Ask, Consent, refuse_paths
from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.fold import UndoStore
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.library.classes.class_provider import LibraryClasses
from liven.runtime.library.placement import Placement
from liven.runtime.library.trust import Trust
from liven.runtime.loader import Progress
from liven.runtime.objects.promise_monitor import PromiseMonitors
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.identity import digest
from liven.runtime.reference.model import Composite, Object, Reference
from liven.runtime.reference.xml import read, write
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.time_travel.time_machine import TimeMachine
    from liven.liveobjects.feeds.replay.target.sandbox import BuildsClasses

TIME_LIMIT = 60.0
"""Time limit in seconds for opening an object: folders may be on a network."""

_HOW_TO_ALLOW = "open it again to be asked again"
_TELL_AFTER = 0.5
"""Seconds after opening an object until its title is written for `liven top`."""


class Composition:
    """The parts of one desktop program, without its windows."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        problems: Problems,
        folders: UserFolders,
        person: Person,
        trust: Trust,
        channels: Channels,
        ask_for_paths: Ask = refuse_paths,
        private_hosts: Callable[[], frozenset[str]] = frozenset,
        placement: Placement | None = None,
    ) -> None:
        self._time_machine: TimeMachine | None = None
        self._trust = trust
        self._slot = InstanceSlot(folders.runtime / SEATS, person.key)
        self.person = replace(person, slot=self._slot.number)
        self.folders = folders
        self.problems = problems
        self.dispatcher = dispatcher
        self.channels = channels
        consent = Consent((folders.data / "objects",), ask_for_paths, _HOW_TO_ALLOW)
        self.session = Session.start(
            dispatcher,
            problems,
            folders,
            trust=trust,
            consent=consent,
            defaults=channels.defaults,
            private_hosts=private_hosts,
            placement=placement,
            confined=WITH_VIEWS,
        )
        channels.bring_into(self.session.node)
        channels.name_members_with(lambda member: person_at(self.session.node, member))
        objects = objects_or_told(folders.config, problems.report)
        channels.introduce_with(lambda: self.person.known_as, lambda: objects)
        self.session.node.person = person.key
        self.palette_sections = self._make_palette_sections()
        self.undo = UndoStore(
            folders.data / "undo" / person.key,
            self.identity,
            dispatcher.call_later,
            self._report_undo_problem,
            _may_be_stored,
        )
        self.undo.forget_oldest()
        self.session.node.services[UndoStore] = lambda: self.undo
        self._text_store = TextStore(folders.cache / "words" / person.key)
        self.session.node.services[TextStore] = lambda: self._text_store
        pictures = folders.cache / "thumbnails" / person.key
        self._picture_store = PictureStore(pictures, self.session.node.errands.run, dispatcher.post)
        self.session.node.services[PictureStore] = lambda: self._picture_store
        self.session.node.services[Participant] = self._who
        self.session.node.services[PromiseMonitors] = self._monitors
        history = settings_or_told(folders.config, problems.report)
        self.histories = Histories(self.session.node, self.session.known, folders.state / "history", history)
        self.session.node.services[Histories] = lambda: self.histories
        self._pending_write: Entry | None = None
        self._titles = ChannelTitles(self._write_titles_soon)
        self.session.node.services[ChannelTitles] = lambda: self._titles

    def recipe(self, data: bytes, name: str, *, foreign: bool = False) -> Object | None:
        """Return the recipe in a file's contents; report a problem and return None if there is none.
        `foreign` means that the file does not have the usual suffix."""
        try:
            return recipe_in(data)
        except UnopenableError as error:
            if foreign:
                other = other_thing(data)
                more = f", but {other}, which you can drop on a desktop" if other else ""
                self.tell(name, f"it is not a {SUFFIX} file{more}", f"open a {SUFFIX} file")
            else:
                self.tell(name, str(error))
            return None

    def open(self, thing: Object, name: str, progress: Callable[[Progress], object]) -> Reply[ProxyHandle]:
        """Load an object. Problems refer to it as `name`; by the time the reply fails, its problem is
        reported."""
        return self.session.loader.dereference(thing, at=(name,), time_limit=TIME_LIMIT, progress=progress)

    def open_example(self, thing: Object, within: str) -> Reply[ProxyHandle]:
        """Load an example of an object for the window of this step."""
        return self.session.loader.dereference(thing, at=(within, "Example"), time_limit=TIME_LIMIT)

    def identity(self, recipe: object) -> str:
        """Return a key that tells objects apart by their recipes; raise ValueError if the recipe has none."""
        try:
            found = recipe if isinstance(recipe, Reference | Composite) else read(str(recipe).encode()).object
            return digest(found or Reference(), self.session.known.checker.lookup)
        except RecipeError as error:
            raise ValueError(str(error)) from None

    def rename_person(self, name: str) -> None:
        """Rename the user, here and for the others; raise PersonError if the name cannot be saved."""
        self.person = rename(self.folders.config, self.person, name)

    def _make_palette_sections(self) -> PaletteSections:
        installation, node = self.session.installation, self.session.node
        registry = None if installation is None else installation.registry
        files, samples = self.folders.data / "objects", find_samples(Path(__file__))
        return PaletteSections(files, samples, registry, node.errands, self.dispatcher.post)

    def time_machine(self) -> TimeMachine:
        """Return the machine by which windows go back in time, made when it is first needed."""
        from liven.app.time_travel.time_machine import TimeMachine  # loads numpy, and is rarely needed

        if self._time_machine is None:
            known, node = self.session.known, self.session.node
            self._time_machine = TimeMachine(
                self.folders.state / "feeds",
                node,
                known,
                self._classes_of_sandbox(),
                self.identity,
                self.histories.root,
            )
        return self._time_machine

    def _classes_of_sandbox(self) -> BuildsClasses | None:
        """Return what gives a sandbox the code of installed libraries."""
        installation, known = self.session.installation, self.session.known
        if installation is None:
            return None
        libraries, acquirer = installation.libraries, installation.acquirer
        return lambda node: LibraryClasses(node, known, libraries, acquirer, self._trust)

    def _who(self) -> Participant:
        return Participant(self.person.key, self.person.known_as, self.person.colour)

    def _monitors(self) -> PromiseMonitors:
        return PromiseMonitors(self.session.node, self.session.known.formalisms)

    def _write_titles_soon(self) -> None:
        """Write the titles shortly: many objects are often opened at once."""
        if self._pending_write is None:
            self._pending_write = self.dispatcher.call_later(_TELL_AFTER, self._write_titles)

    def _write_titles(self) -> None:
        self._pending_write = None
        write_titles(self.folders.runtime, self._titles.names)

    def _report_undo_problem(self, what: str) -> None:
        self.problems.report(Problem(Kind.RAISED, ("undo",), what))

    def tell(self, name: str, what: str, advice: str = "") -> None:
        """Report a problem with an object that is being opened."""
        self.problems.report(Problem(Kind.UNBUILT, (name,), what, advice))

    def keep_slot(self) -> None:
        """Hold on to the number of this program, also if its file was deleted."""
        self._slot.keep()

    def farewell(self, done: Callable[[], object]) -> None:
        """Call `done` when every channel has left its group, or after a short time limit."""
        self.channels.farewell(done)

    def close(self) -> None:
        """End everything that the program holds. Objects have ended with their handles."""
        if self._pending_write is not None:
            self._pending_write.cancel()
        drop_titles(self.folders.runtime)
        self._text_store.forget_oldest()
        self._picture_store.write_all()
        self._picture_store.forget_oldest()
        if self._time_machine is not None:
            self._time_machine.recorders.close()
        self.histories.close()
        self.channels.close()
        self.session.close()
        self._slot.close()


def _may_be_stored(recipe: object) -> bool:
    """Return False if an object may be on an encrypted channel: its undo list would hold its text."""
    text = write(recipe).decode() if isinstance(recipe, Reference | Composite) else str(recipe)
    return not may_be_encrypted(text)

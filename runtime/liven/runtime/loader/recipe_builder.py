"""One dereference: the walk that builds a recipe bottom-up.

Static checks come before anything runs, and parts before the wholes they belong to. If a later part fails,
the parts built before are released in reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from liven.runtime import author_traceback
from liven.runtime.capability import Capability, Consent, ConsentQuestion
from liven.runtime.checking import ChosenCode, Provided, Report
from liven.runtime.checking.classes import ClassReader, Unknown
from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.scope import Scope
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import DereferenceError, HandlerInterrupted, MismatchError, ObjectRuntimeError
from liven.runtime.loader.capabilities import as_source, capabilities_of, stated
from liven.runtime.loader.classes import Class, Classes
from liven.runtime.loader.connect_parts import completed, constrained, join_parameter, merged
from liven.runtime.loader.legacy_files import as_later
from liven.runtime.loader.recipe_path import Chain, RecipePath
from liven.runtime.loader.repositories import Repositories
from liven.runtime.loader.values import ValueFault, constructor_values
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.task import Steps
from liven.runtime.problems import Kind, Path
from liven.runtime.reference.composite import Port, instantiate, step
from liven.runtime.reference.errors import RecipeError, shortened
from liven.runtime.reference.identity import digest
from liven.runtime.reference.model import Composite, Connection, Object, Reference
from liven.runtime.reference.xml import compact, read_object
from liven.types.catalogue import Entry
from liven.types.declare.declaration import Parameter
from liven.types.terms.endpoint_types import ObjectType

_LONGEST_ERROR = 2_000
"""The most letters of an error that a message shows: a recipe may hold a name of any length."""
LONGEST_CHAIN = 32
"""The most folders that may refer to one another before a recipe counts as endless."""


@dataclass(frozen=True, slots=True)
class BuildTools:
    """The tools that all dereferences of a loader share."""

    node: Node
    known: TypeKnowledge
    classes: Classes
    repositories: Repositories
    blueprints: Blueprints
    consent: Consent


class RecipeBuilder:
    """One running dereference. `place` is the part it is at, for the message when time runs out."""

    def __init__(self, tools: BuildTools, say: Callable[[Path, str, int], object]) -> None:
        self._tools = tools
        self._node = tools.node
        self._say = say
        self.place: Path = ()
        self.built = 0
        self._recipe = ""

    async def checked(
        self, thing: Object, shown: Path, chain: Chain = (), wanted: Reference | None = None
    ) -> ProxyHandle:
        """Get the code, check the whole recipe, then build it.

        `wanted` is the reference to a folder that this answers.
        """
        self._now(shown, "looking for its classes")
        code: Provided = await self._tools.classes.provide(thing, shown)
        checker = self._tools.known.checker
        report = checker.with_partners(thing, checker.check(code.thing, code.choices))
        if wanted is not None:
            self._refuse_wrong_type(wanted, report, shown)
        place = _sound(report, shown, chain, code.choices, self._identity(code.thing))
        await self._demand_consent(capabilities_of(code.thing, self._tools.known), place)
        return await self.build(code.thing, place)

    async def build(self, thing: Object, place: RecipePath) -> ProxyHandle:
        """Return a running proxy; raise DereferenceError with the place for every failure."""
        if thing.null:
            raise DereferenceError(place.shown, "the null reference has nothing to run", "name an object")
        try:
            return await self._kind_of(thing)(thing, place)
        except (DereferenceError, KeyboardInterrupt, GeneratorExit):
            raise
        except MismatchError as error:
            raise DereferenceError(place.shown, error.what, "", error.explanation) from None
        except (ObjectRuntimeError, RecipeError) as error:
            raise DereferenceError(place.shown, shortened(str(error), _LONGEST_ERROR)) from None
        except HandlerInterrupted as error:
            what = f"its constructor did not end and was interrupted{author_traceback.author_line(error)}"
            advice, detail = "do long work in `context.work(...)`", author_traceback.author_frames(error)
            raise DereferenceError(place.shown, what, advice, None, detail, Kind.INTERRUPTED) from None
        except BaseException as error:  # SystemExit too: an object must not end the process
            said = f"{type(error).__name__}: {shortened(_text(error), _LONGEST_ERROR)}"
            what = f"its code raised {said}{author_traceback.author_line(error)}"
            advice = "fix it there, or tell its author"
            raise DereferenceError(
                place.shown, what, advice, None, author_traceback.author_frames(error)
            ) from None

    def _kind_of(self, thing: Object) -> Callable[[Any, RecipePath], Steps[ProxyHandle]]:
        if isinstance(thing, Composite):
            return self._composite
        return self._plain if thing.source is None else self._external

    async def _plain(self, thing: Reference, place: RecipePath) -> ProxyHandle:
        entry = place.part.entry if place.part is not None else None
        if entry is not None and hasattr(entry.source, "confined"):
            return await self._confined(entry, thing, place)
        found = Class.of(entry)
        if found is None:
            raise _without_code(thing, place)
        arguments = self._arguments(found, thing, place)
        kind = constrained(self._tools.known.catalogue.term(found.entry, arguments), place.part)
        blueprint = self._tools.blueprints.of(found.declaration, arguments)
        takes = blueprint.takes
        values = self._values(thing, takes, place)
        needs = stated(found.declaration, values)
        await self._demand_consent(as_source(needs) if place.path[-1] == "From" else needs, place)
        with ExitStack() as built:
            children = await self._children(thing, kind, takes, place, built)
            self._now(place.shown, "starting")
            handle = built.enter_context(blueprint.build(self._node, place.shown, kind, values))
            self._joined(handle, children, place)
            built.pop_all()
            return handle

    async def _confined(self, entry: Entry, thing: Reference, place: RecipePath) -> ProxyHandle:
        """Build an object whose code runs in another process; the objects given to it run here."""
        confinement = self._node.confinement
        if confinement is None:
            what = f"{entry} runs in a process of its own only, and this program starts none"
            raise DereferenceError(place.shown, what, "open it with liven open, or install its library")
        kind = constrained(self._tools.known.catalogue.term(entry), place.part)
        takes = {one.name for one in entry.source.value_parameters()}
        with ExitStack() as built:
            children = await self._children(thing, kind, takes, place, built)
            self._now(place.shown, "starting in a process of its own")
            given = tuple(item for item in thing.parameters if item.id in takes)
            bare = replace(thing, parameters=given, authority=None, object_class=None)
            handle = built.enter_context(await confinement.build(entry.source, bare, place.shown, kind))
            self._joined(handle, children, place)
            built.pop_all()
            return handle

    def _joined(
        self, handle: ProxyHandle, children: list[tuple[str, ProxyHandle]], place: RecipePath
    ) -> None:
        self.built += 1
        for name, child in children:
            join_parameter(self._node, handle, name, child, place.at(f"Parameter[{name}]", "Value").shown)
        handle.proxy().parts = [child for _, child in children]

    def _arguments(self, found: Class, thing: Reference, place: RecipePath) -> tuple[Any, ...]:
        findings = FaultCollector()
        wanted = found.entry.source.type_parameters()
        reader = ClassReader(self._tools.known.catalogue, findings)
        arguments = reader.arguments(wanted, thing.parameters, Scope(place.path)) if wanted else ()
        if isinstance(arguments, Unknown):
            fault = findings.faults[0]
            raise DereferenceError(place.shown, fault.what, fault.advice, fault.explanation)
        return arguments

    def _values(
        self, thing: Reference, takes: Mapping[str, Parameter], place: RecipePath
    ) -> dict[str, object]:
        try:
            return constructor_values(thing.parameters, takes)
        except ValueFault as fault:
            where = place.at(f"Parameter[{fault.parameter}]").shown
            raise DereferenceError(where, str(fault)) from None

    async def _children(
        self,
        thing: Reference,
        kind: ObjectType,
        takes: Container[str],
        place: RecipePath,
        built: ExitStack,
    ) -> list[tuple[str, ProxyHandle]]:
        """Build the objects given for endpoints: they run before the object they are given to."""
        ports = dict(kind.endpoints)
        children = []
        for item in thing.parameters:
            value = item.value
            if item.id in takes or item.id not in ports or not isinstance(value, Reference | Composite):
                continue
            if not value.null:
                child = await self.build(value, place.at(f"Parameter[{item.id}]", "Value"))
                children.append((item.id, built.enter_context(child)))
        return children

    async def _composite(self, thing: Composite, place: RecipePath) -> ProxyHandle:
        if thing.parameters:
            thing = instantiate(thing, {})
            report = self._tools.known.checker.check(thing, place.choices)
            place = _sound(report, place.shown, place.chain, place.choices, place.recipe)
        with ExitStack() as built:
            parts: dict[str, ProxyHandle] = {}
            for component in thing.components:
                part = await self.build(component.object, place.at(f"Component[{component.id}]", "Object"))
                parts[component.id] = built.enter_context(part)
            for joint in thing.connections:
                self._join(joint, parts, place)
            handle = built.enter_context(self._whole(thing, parts, place))
            built.pop_all()
            return handle

    def _join(self, joint: Connection, parts: dict[str, ProxyHandle], place: RecipePath) -> None:
        try:
            ends = [Port.parse(text) for text in (joint.left, joint.right)]
            left, right = (parts[end.component].endpoint(end.endpoint) for end in ends)
            self._node.connect(left, right)
        except (ObjectRuntimeError, RecipeError) as error:
            explanation = error.explanation if isinstance(error, MismatchError) else None
            where = place.at(step(joint.left, joint.right)).shown
            raise DereferenceError(where, str(error).partition("\n")[0], "", explanation) from None

    def _whole(self, thing: Composite, parts: dict[str, ProxyHandle], place: RecipePath) -> ProxyHandle:
        exports = {}
        shown: list[ExternalEndpoint] = []
        for export in thing.exports:
            port = Port.parse(export.origin)
            end = parts[port.component].endpoint(port.endpoint)
            if end.connected or end in shown:
                what = f"{export.origin} is connected inside; it cannot be exported as well"
                raise DereferenceError(place.at(f"Endpoint[{export.id}]").shown, what)
            shown.append(end)
            exports[export.id] = end.internal()
        derived = ObjectType(tuple(sorted((name, end.type) for name, end in exports.items())))
        proxy = Proxy(self._node, place.shown, constrained(derived, place.part))
        proxy.exports = exports
        proxy.parts = list(parts.values())
        for part in parts.values():
            part.on_end(lambda _: proxy.fail())  # a composite is its parts: it ends with any of them
        self.built += 1
        return ProxyHandle(proxy)

    async def _external(self, thing: Reference, place: RecipePath) -> ProxyHandle:
        source = thing.source
        assert source is not None
        self._refuse_circles(source, thing.id, place)
        self._now(place.shown, f"opening the folder of {thing.id!r}")
        chain = (*place.chain, (source, thing.id))
        folder = replace(place.at("From"), chain=chain)

        async def open_folder(wanted: Object, _: Path) -> ProxyHandle:
            opened = await self.build(wanted, folder)
            self._now(place.shown, f"asking for {thing.id!r}")
            return opened

        text = await self._tools.repositories.ask(source, thing.id, folder.shown, open_folder)
        if text is None:
            raise DereferenceError(place.shown, f"the folder has no {thing.id!r}", "inspect it: liven show")
        inner = merged(read_object(text), thing, place.shown)
        inner = completed(inner, thing, self._open_classes(inner))
        return await self.checked(inner, place.shown, chain, thing)

    def _open_classes(self, thing: Object) -> frozenset[str]:
        """Return the classes that a template takes, by name."""
        if isinstance(thing, Composite) or thing.source is not None:
            return frozenset()
        reader = ClassReader(self._tools.known.catalogue, FaultCollector())
        entry = reader.entry("component", thing.id, Scope())
        wanted = () if entry is None else entry.source.type_parameters()
        return frozenset(one.name for one in wanted)

    def _refuse_wrong_type(self, thing: Reference, report: Report, shown: Path) -> None:
        """Check the answer's own type against the `as` clause before any of it runs."""
        if thing.object_class is None:
            return
        known = self._tools.known
        wanted = as_later(thing.object_class)
        expected = ClassReader(known.catalogue, FaultCollector()).object_class(wanted, Scope())
        actual = report.type
        if expected is None or actual is None:
            return
        answer = known.matcher.object_subtype(actual, expected)
        if not answer:
            what = f"the folder's item {thing.id!r} is not of the expected class"
            advice = "change the ObjectClass, or the item"
            raise DereferenceError((*shown, "ObjectClass"), what, advice, answer)

    def _refuse_circles(self, source: Object, key: str, place: RecipePath) -> None:
        if (source, key) in place.chain:
            way = " → ".join(repr(one) for _, one in (*place.chain, (source, key)))
            raise DereferenceError(
                place.shown, f"the folders lead in a circle: {way}", "break it at one of these"
            )
        if len(place.chain) >= LONGEST_CHAIN:
            what = f"more than {LONGEST_CHAIN} folders lead one to another, with no object at the end"
            raise DereferenceError(place.shown, what, "shorten the chain")

    def _identity(self, thing: Object) -> str:
        """Return the identity of a recipe, together with those of the recipes whose folders led to it: a
        person's answer for one object must not serve another that merely contains it."""
        try:
            own = digest(thing, self._tools.known.checker.lookup)
        except RecipeError:
            own = sha256(compact(thing).encode()).hexdigest()
        self._recipe = sha256(f"{self._recipe}{own}".encode()).hexdigest()
        return self._recipe

    async def _demand_consent(self, capabilities: Iterable[Capability], place: RecipePath) -> None:
        """Ask for the files, folders and hosts that a recipe reaches; raise DereferenceError after a no."""
        paths = tuple(one for one in capabilities if one.is_asked)
        consent = self._tools.consent
        if not paths:
            return
        missing = await self._node.errand(lambda: consent.missing(place.recipe, paths))
        if not missing:
            return
        question = ConsentQuestion(place.recipe, "/".join(place.shown), missing)
        if not await consent.ask(question):
            what = f"{question}, which nobody allowed"
            raise DereferenceError(place.shown, what, consent.advice, kind=Kind.DECLINED)
        consent.give(question)

    def _now(self, place: Path, what: str) -> None:
        self.place = place
        self._say(place, what, self.built)


def _text(error: BaseException) -> str:
    """Return the text of an author's error, which may fail itself."""
    try:
        return str(error)
    except Exception:
        return "its text cannot be read"


def _sound(report: Report, shown: Path, chain: Chain, choices: ChosenCode, recipe: str) -> RecipePath:
    """Return the root of a recipe without faults; raise DereferenceError with the first fault."""
    if report.faults:
        first, others = report.faults[0], len(report.faults) - 1
        more = f"; and {others} more, which liven check lists" if others else ""
        raise DereferenceError((*shown, *first.path[1:]), first.what + more, first.advice, first.explanation)
    return RecipePath.root(shown, report, chain, choices, recipe)


def _without_code(thing: Reference, place: RecipePath) -> DereferenceError:
    entry = place.part.entry if place.part is not None else None
    if entry is not None and entry.never:
        return DereferenceError(
            place.shown, f"{entry} belongs to the original program and will never run here"
        )
    what = f"there is no code here for {entry or f'objects of class {thing.id}'}"
    return DereferenceError(place.shown, what, "install the library that contains it: liven library add PATH")

"""One dereference: the walk that builds a recipe bottom-up.

Static checks come before anything runs, and parts before the wholes they belong to. If a later part fails,
the parts built before are released in reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from liven.runtime import author_traceback
from liven.runtime.checking import ChosenCode, Provided, Report
from liven.runtime.checking.classes import ClassReader, Unknown
from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.scope import Scope
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import DereferenceError, HandlerInterrupted, MismatchError, ObjectRuntimeError
from liven.runtime.loader.classes import Class, Classes
from liven.runtime.loader.connect_parts import completed, constrained, join_parameter, merged
from liven.runtime.loader.legacy_files import as_later
from liven.runtime.loader.recipe_path import Chain, RecipePath
from liven.runtime.loader.repositories import Repositories
from liven.runtime.loader.values import ValueFault, local
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.task import Steps
from liven.runtime.problems import Kind, Path
from liven.runtime.reference.composite import Port, instantiate, step
from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.model import Composite, Connection, Object, Reference
from liven.runtime.reference.xml import read_object
from liven.types.declare.declaration import Parameter
from liven.types.terms.endpoint_types import ObjectType

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


class RecipeBuilder:
    """One running dereference. `place` is the part it is at, for the message when time runs out."""

    def __init__(self, tools: BuildTools, say: Callable[[Path, str, int], object]) -> None:
        self._tools = tools
        self._node = tools.node
        self._say = say
        self.place: Path = ()
        self.built = 0

    async def checked(
        self, thing: Object, shown: Path, chain: Chain = (), wanted: Reference | None = None
    ) -> ProxyHandle:
        """Get the code, check the whole recipe, then build it.

        `wanted` is the reference to a folder that this answers.
        """
        self._now(shown, "looking for its classes")
        code: Provided = await self._tools.classes.provide(thing, shown)
        report = self._tools.known.checker.check(code.thing, code.choices)
        if wanted is not None:
            self._refuse_wrong_type(wanted, report, shown)
        return await self.build(code.thing, _sound(report, shown, chain, code.choices))

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
            raise DereferenceError(place.shown, str(error)) from None
        except HandlerInterrupted as error:
            what = f"its constructor did not end and was interrupted{author_traceback.author_line(error)}"
            advice, detail = "do long work in `context.work(...)`", author_traceback.author_frames(error)
            raise DereferenceError(place.shown, what, advice, None, detail, Kind.INTERRUPTED) from None
        except BaseException as error:  # SystemExit too: an object must not end the process
            what = f"its code raised {type(error).__name__}: {error}{author_traceback.author_line(error)}"
            advice = "fix it there, or tell its author"
            raise DereferenceError(
                place.shown, what, advice, None, author_traceback.author_frames(error)
            ) from None

    def _kind_of(self, thing: Object) -> Callable[[Any, RecipePath], Steps[ProxyHandle]]:
        if isinstance(thing, Composite):
            return self._composite
        return self._plain if thing.source is None else self._external

    async def _plain(self, thing: Reference, place: RecipePath) -> ProxyHandle:
        found = Class.of(place.part.entry if place.part is not None else None)
        if found is None:
            raise _without_code(thing, place)
        arguments = self._arguments(found, thing, place)
        kind = constrained(self._tools.known.catalogue.term(found.entry, arguments), place.part)
        blueprint = self._tools.blueprints.of(found.declaration, arguments)
        takes = blueprint.takes
        values = self._values(thing, takes, place)
        with ExitStack() as built:
            children = await self._children(thing, kind, takes, place, built)
            self._now(place.shown, "starting")
            handle = built.enter_context(blueprint.build(self._node, place.shown, kind, values))
            self.built += 1
            for name, child in children:
                join_parameter(self._node, handle, name, child, place.at(f"Parameter[{name}]", "Value").shown)
            handle.proxy().parts = [child for _, child in children]
            built.pop_all()
            return handle

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
        values: dict[str, object] = {}
        for item in thing.parameters:
            if item.id in takes and (item.value is not None or takes[item.id].required):
                try:
                    values[item.id] = local(item.value, takes[item.id].shape)
                except ValueFault as fault:
                    where = place.at(f"Parameter[{item.id}]").shown
                    raise DereferenceError(where, str(fault)) from None
        return values

    async def _children(
        self,
        thing: Reference,
        kind: ObjectType,
        takes: Mapping[str, Parameter],
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
            place = _sound(report, place.shown, place.chain, place.choices)
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

    def _now(self, place: Path, what: str) -> None:
        self.place = place
        self._say(place, what, self.built)


def _sound(report: Report, shown: Path, chain: Chain, choices: ChosenCode) -> RecipePath:
    """Return the root of a recipe without faults; raise DereferenceError with the first fault."""
    if report.faults:
        first, others = report.faults[0], len(report.faults) - 1
        more = f"; and {others} more, which liven check lists" if others else ""
        raise DereferenceError((*shown, *first.path[1:]), first.what + more, first.advice, first.explanation)
    return RecipePath.root(shown, report, chain, choices)


def _without_code(thing: Reference, place: RecipePath) -> DereferenceError:
    entry = place.part.entry if place.part is not None else None
    if entry is not None and entry.never:
        return DereferenceError(
            place.shown, f"{entry} belongs to the original program and will never run here"
        )
    what = f"there is no code here for {entry or f'objects of class {thing.id}'}"
    return DereferenceError(place.shown, what, "install the library that contains it: liven library add PATH")

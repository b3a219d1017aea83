from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

import pytest

from liven.runtime.checking import Provided
from liven.runtime.context import Context
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CancelledReplyError, DereferenceError
from liven.runtime.folder.interface import AnyObject, Folder, FolderClient, Found
from liven.runtime.folder.served import ServedFolder
from liven.runtime.known import Known
from liven.runtime.loader import Loader, Progress
from liven.runtime.node import Node
from liven.runtime.problems import Kind, Path, Problems
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    ObjectClass,
    OtherClass,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.runtime.reply import Reply
from liven.types.catalogue.learning import learn
from liven.types.declare import Dual, Exports, Imports, Ref, interface, object_type, proxy, scan


@interface
class Takes(Protocol):
    def take(self, text: str) -> None: ...


@object_type(id="0000000000000000000000000000B101", alias="test:source")
class SourceObject:
    out: Imports[Takes]


@proxy(id="0000000000000000000000000000B001", alias="test:source-1")
class Source:
    out: Imports[Takes]

    def __init__(self, text: str, times: int = 1) -> None:
        self.text, self.times = text, times

    def out_connected(self) -> None:
        for _ in range(self.times):
            self.out.peer.take(self.text)


@proxy(id="0000000000000000000000000000B002", alias="test:sink")
class Sink:
    end: Exports[Takes]

    def __init__(self) -> None:
        self.taken: list[str] = []

    def take(self, text: str) -> None:
        if text == "boom":
            raise ValueError("boom")
        self.taken.append(text)


@proxy(id="0000000000000000000000000000B003", alias="test:pipe")
class Pipe:
    end: Exports[Takes]
    out: Imports[Takes]

    def take(self, text: str) -> None:
        self.out.peer.take(text + "|")


T = TypeVar("T", contravariant=True)


@interface
class Passes(Protocol[T]):
    def take(self, text: T) -> None: ...


@proxy(id="0000000000000000000000000000B008", alias="test:template")
class Template(Generic[T]):
    """A pipe for any class of values."""

    end: Exports[Passes[T]]
    out: Imports[Passes[T]]

    def __init__(self, name: str = "") -> None:
        self.name = name

    def take(self, text: T) -> None:
        self.out.peer.take(text)


@proxy(id="0000000000000000000000000000B004", alias="test:broken")
class Broken:
    end: Exports[Takes]

    def __init__(self) -> None:
        raise SystemExit("leaves at once")

    def take(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000B005", alias="test:holder")
class Holder:
    """Dereferences what it is given."""

    end: Exports[Takes]

    def __init__(self, inner: Ref[AnyObject], context: Context) -> None:
        self.inner, self.context = inner, context
        self.held: ProxyHandle | None = None
        context.dereference(inner, "inner").then(self.got)

    def got(self, reply: Reply[ProxyHandle]) -> None:
        self.held = reply.value() if reply.error is None else None

    def take(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000B006", alias="test:mute-folder", delegates=("Endpoint",))
class MuteFolder:
    """A folder that never answers."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context) -> None:
        context.serve("Endpoint", _Mute())


def _never(*values: object, **named: object) -> Reply[Any]:
    return Reply()


class _Mute:
    def __getattr__(self, name: str) -> Any:
        if name in ("connected", "disconnected"):
            raise AttributeError(name)
        return _never


@proxy(id="0000000000000000000000000000B007", alias="test:library")
class FixedFolder(ServedFolder):
    """A folder of fixed items: `name=text of the reference`, one a line."""

    Endpoint: Dual[Folder, FolderClient]
    built = 0

    def __init__(self, items: str, context: Context) -> None:
        type(self).built += 1
        self.context = context
        self._items = dict(line.split("=", 1) for line in items.split("\n") if line)

    def items(self) -> dict[str, str]:
        return self._items

    def is_read_only(self) -> bool:
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None: ...  # noqa: A002

    def remove(self, key: str) -> None: ...

    def try_get_object(self, key: str) -> Found:
        return super().try_get_object(key)


def text(value: str) -> Plain:
    return Plain("string", value)


def source(value: str, *more: Parameter) -> Reference:
    return Reference("test:source-1", (Parameter("text", text(value)), *more))


def folder(**items: Object) -> Reference:
    lines = "\n".join(f"{name}={compact(thing)}" for name, thing in items.items())
    return Reference("test:library", (Parameter("items", text(lines)),))


def external(key: str, of: Object, as_: ObjectClass | None = None, *given: Parameter) -> Reference:
    return Reference(key, given, source=of, object_class=as_)


SINK = Reference("test:sink")


@pytest.fixture(autouse=True)
def learned(known: Known) -> None:
    learn(known.catalogue, scan(sys.modules[__name__]), known.matcher)


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def run(loader: Loader, thing: Object | str, **more: Any) -> ProxyHandle:
    return loader.dereference(thing, **more).value()


def refused(loader: Loader, thing: Object | str, **more: Any) -> DereferenceError:
    reply = loader.dereference(thing, **more)
    assert isinstance(reply.error, DereferenceError), reply.error
    return reply.error


def instance(handle: ProxyHandle) -> Any:
    return handle.proxy().instance


def pipeline(value: str = "hello") -> Composite:
    parts = (
        Component("source", source(value)),
        Component("pipe", Reference("test:pipe")),
        Component("sink", SINK),
    )
    joints = (Connection("pipe.out", "sink.end"), Connection("source.out", "pipe.end"))
    return Composite("", components=parts, connections=joints)


def test_an_installed_class_is_built_with_its_values(loader: Loader) -> None:
    handle = run(loader, source("hi", Parameter("times", Plain("int", "3"))))
    assert (instance(handle).text, instance(handle).times) == ("hi", 3)
    assert list(handle.endpoints) == ["out"]


def test_a_default_stands_in_for_what_is_not_given(loader: Loader) -> None:
    assert instance(run(loader, source("hi"))).times == 1


def test_an_object_given_for_an_endpoint_is_built_and_connected(loader: Loader) -> None:
    handle = run(loader, source("hello", Parameter("out", SINK)))
    (child,) = handle.proxy().parts
    assert instance(child).taken == ["hello"]
    assert child.path == ("test:source-1", "Parameter[out]", "Value")


def test_a_null_parameter_leaves_the_endpoint_open(loader: Loader) -> None:
    handle = run(loader, source("hello", Parameter("out", Reference())))
    assert not handle.endpoint("out").connected


def test_a_composite_is_built_connected_and_ends_as_one(loader: Loader, node: Node) -> None:
    handle = run(loader, pipeline())
    sink = instance(handle.proxy().parts[2])
    assert sink.taken == ["hello|"]
    del sink
    handle.close()
    assert not node.running


def test_a_composite_shows_endpoints_of_its_parts(loader: Loader, node: Node) -> None:
    whole = Composite(
        "",
        components=(Component("pipe", Reference("test:pipe")), Component("sink", SINK)),
        connections=(Connection("pipe.out", "sink.end"),),
        exports=(Export("entry", "pipe.end"),),
    )
    handle = run(loader, whole)
    assert list(handle.endpoints) == ["entry"]
    assert [name for name, _ in handle.type.endpoints] == ["entry"]
    feeder = run(loader, source("in"))
    node.connect(feeder.endpoint("out"), handle.endpoint("entry"))
    assert instance(handle.proxy().parts[1]).taken == ["in|"]


def test_a_composite_passes_its_parameters_on(loader: Loader) -> None:
    whole = Composite(
        "",
        parameters=(Parameter("word", text("default")),),
        components=(
            Component("a", Reference("test:source-1", (Parameter("text", ParameterUse("word")),))),
            Component("b", SINK),
        ),
        connections=(Connection("a.out", "b.end"),),
    )
    handle = run(loader, whole)
    assert instance(handle.proxy().parts[1]).taken == ["default"]


def test_a_composite_ends_when_one_of_its_parts_fails(loader: Loader, node: Node, problems: Problems) -> None:
    handle = run(loader, pipeline("boo"))
    feeder = instance(handle.proxy().parts[0])
    feeder.text = "boom"
    parts = handle.proxy().parts
    instance(parts[1]).out.peer.take("boom")
    assert handle.failed
    assert [problem.kind for problem in problems] == [Kind.RAISED]
    assert [part.ended for part in parts] == []
    del feeder, parts
    assert not node.running


def test_an_item_of_a_folder_is_asked_for_and_built(loader: Loader) -> None:
    assert (
        instance(run(loader, external("note", folder(note=source("from the folder"))))).text
        == "from the folder"
    )


def test_a_template_in_a_folder_is_given_its_parameters_by_whoever_asks(loader: Loader) -> None:
    template = Reference("test:source-1", (Parameter("times", Plain("int", "2")),))
    asked = external("t", folder(t=template), None, Parameter("text", text("given outside")))
    handle = run(loader, asked)
    assert (instance(handle).text, instance(handle).times) == ("given outside", 2)


def test_a_parameter_that_the_item_has_cannot_be_given_again(loader: Loader) -> None:
    asked = external("t", folder(t=source("inside")), None, Parameter("text", text("outside")))
    assert "has a parameter 'text' already" in refused(loader, asked).what


def test_an_item_that_is_not_of_the_expected_class_is_refused_before_it_runs(
    loader: Loader, node: Node, problems: Problems
) -> None:
    expected = ObjectClass("test:source")
    assert run(loader, external("good", folder(good=source("x")), expected)).type.endpoints[0][0] == "out"
    error = refused(loader, external("bad", folder(bad=SINK), expected))
    assert error.where[-1] == "ObjectClass"
    assert error.explanation is not None
    assert "no endpoint" in error.explanation.render() or "out" in error.explanation.render()
    (problem,) = problems
    assert problem.kind is Kind.UNBUILT
    assert problem.explanation is error.explanation


def test_a_missing_item_is_named(loader: Loader) -> None:
    error = refused(loader, external("nothing", folder()))
    assert "the folder has no 'nothing'" in error.what


def test_folders_are_kept_for_a_while_and_used_again(loader: Loader, node: Node, crank: HandCranked) -> None:
    FixedFolder.built = 0
    shelf = folder(a=source("a"), b=source("b"))
    one, other = run(loader, external("a", shelf)), run(loader, external("b", shelf))
    assert FixedFolder.built == 1
    assert loader.kept_folders == 1
    crank.advance(6)
    assert loader.kept_folders == 0
    run(loader, external("a", shelf))
    assert FixedFolder.built == 2
    one.close()
    other.close()
    loader.close()
    assert not node.running


def test_folders_that_lead_in_a_circle_are_refused(loader: Loader, known: Known) -> None:
    """The shared memory folder `m` holds under `a` a reference to its own item `b`, and the reverse."""
    memory = Reference("liven:memory-folder", (Parameter("name", text("m")),))
    shelf = run(loader, memory)
    instance(shelf).add("a", Ref(compact(external("b", memory))))
    instance(shelf).add("b", Ref(compact(external("a", memory))))
    error = refused(loader, external("a", memory))
    assert "circle: 'a' → 'b' → 'a'" in error.what


def test_a_chain_of_folders_without_end_is_refused(loader: Loader) -> None:
    class Counting:
        count = 0

    def grow(self: FixedFolder, key: str) -> Found:
        Counting.count += 1
        return Found(True, Ref(compact(external(f"n{Counting.count}", folder()))))

    original = FixedFolder.try_get_object
    FixedFolder.try_get_object = grow  # type: ignore[method-assign]
    try:
        error = refused(loader, external("n0", folder()))
    finally:
        FixedFolder.try_get_object = original  # type: ignore[method-assign]
    assert "more than 32 folders lead one to another" in error.what


def test_a_folder_that_never_answers_is_given_up(loader: Loader, node: Node, crank: HandCranked) -> None:
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(1.9)
    assert not reply.settled
    crank.advance(0.2)
    assert isinstance(reply.error, DereferenceError)
    assert "it was not ready after 2 s" in reply.error.what
    assert reply.error.where == ("x",)
    loader.close()
    assert not node.running


def test_no_time_runs_out_while_a_person_is_asked_something(
    loader: Loader, node: Node, crank: HandCranked
) -> None:
    answer: Reply[bool] = Reply()
    node.questions.counting(lambda _: answer)("may it run?")
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(3600.0)
    assert not reply.settled
    answer.resolve(True)
    crank.advance(1.9)
    assert not reply.settled, "all of its time begins with the answer"
    crank.advance(2.2)
    assert isinstance(reply.error, DereferenceError)
    assert "it was not ready after 2 s" in reply.error.what


def test_a_question_for_which_nobody_waits_any_more_stops_no_clock(
    loader: Loader, node: Node, crank: HandCranked
) -> None:
    answer: Reply[bool] = Reply()
    node.questions.counting(lambda _: answer)("may it run?").cancel()
    settled: Reply[bool] = Reply()
    settled.resolve(False)
    node.questions.counting(lambda _: settled)("and this?")
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(2.1)
    assert isinstance(reply.error, DereferenceError)


def test_a_dereference_can_be_cancelled_and_leaves_nothing(
    loader: Loader, node: Node, problems: Problems
) -> None:
    reply = loader.dereference(external("x", Reference("test:mute-folder")))
    assert node.running
    reply.cancel()
    assert isinstance(reply.error, CancelledReplyError)
    loader.close()
    assert not node.running
    assert len(problems) == 0


def test_progress_names_each_place(loader: Loader) -> None:
    said: list[Progress] = []
    run(loader, external("a", folder(a=source("x"))), progress=said.append)
    assert [step.what for step in said] == [
        "looking for its classes",
        "opening the folder of 'a'",
        "starting",
        "asking for 'a'",
        "looking for its classes",
        "starting",
    ]
    assert (said[0].built, said[-1].built) == (0, 1)


@pytest.mark.parametrize(
    ("thing", "where", "what"),
    [
        (Reference(), (), "the null reference has nothing to run"),
        (Reference("0000000000000000000000000000B999"), (), f"no object {0xB999:032X} is known here"),
        (Reference("liven:ui-properties"), (), "there is no code here for object liven:ui-properties"),
        (Reference("original:c-foo-1"), (), "will never run here"),
        (Reference("test:source-1"), (), "is not given its parameter 'text'"),
        (
            Reference("test:source-1", (Parameter("text", Plain("int", "3")),)),
            ("Parameter[text]", "Value"),
            "3 is given, and text is expected",
        ),
        (source("x", Parameter("colour", text("red"))), ("Parameter[colour]",), "no parameter 'colour'"),
        (
            source("x", Parameter("out", source("y"))),
            ("Parameter[out]", "Value"),
            "no endpoint of this object",
        ),
        (Reference("test:broken"), (), "its code raised SystemExit: leaves at once"),
        (external("x", SINK), ("From",), "is asked of an object that is no folder"),
        (
            Composite("", components=(Component("a", SINK),), connections=(Connection("a.end", "b.x"),)),
            ("Connection[a.end b.x]",),
            "there is no component 'b'",
        ),
        (
            Composite(
                "",
                components=(Component("a", source("x")), Component("b", source("y"))),
                connections=(Connection("a.out", "b.out"),),
            ),
            ("Connection[a.out b.out]",),
            "a.out and b.out do not match",
        ),
        (
            Composite("", components=(Component("a", SINK), Component("b", Reference("test:broken")))),
            ("Component[b]", "Object"),
            "SystemExit",
        ),
    ],
)
def test_what_cannot_be_built_is_one_problem_that_names_the_part(
    loader: Loader, node: Node, problems: Problems, thing: Object, where: tuple[str, ...], what: str
) -> None:
    error = refused(loader, thing, at=("it",))
    assert error.where == ("it", *where)
    assert what in error.what
    (problem,) = problems
    assert problem.where == error.where
    assert not node.running


class Lost:
    """Classes that cannot be provided, for a reason that nobody thought of."""

    def __init__(self, known: Known, *, at_once: bool) -> None:
        self._at_once = at_once

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:
        reply: Reply[Provided] = Reply()
        if self._at_once:
            raise KeyError("declares")
        reply.fail(KeyError("declares"))
        return reply

    def recalled(self, thing: Object) -> Provided:
        raise NotImplementedError


@pytest.mark.parametrize("at_once", [True, False])
def test_a_failure_that_nobody_thought_of_is_reported_with_its_place_and_its_traceback(
    node: Node, known: Known, problems: Problems, at_once: bool
) -> None:
    loader = Loader(node, known, Lost(known, at_once=at_once))
    error = refused(loader, SINK, at=("the", "place"))
    assert "KeyError: 'declares'" in error.what
    (problem,) = problems
    assert problem.kind is Kind.UNBUILT
    assert problem.where == ("the", "place")
    assert "Traceback" in problem.detail
    assert not node.running


def test_text_that_is_no_reference_is_refused(loader: Loader) -> None:
    assert "this is no reference" in refused(loader, "<Object").what


def test_an_object_dereferences_and_holds_what_it_was_given(loader: Loader, node: Node) -> None:
    handle = run(loader, Reference("test:holder", (Parameter("inner", source("held")),)))
    held = instance(handle).held
    assert held.path == ("test:holder", "inner")
    assert instance(held).text == "held"
    del held
    handle.close()
    assert not node.running


def test_a_held_object_ends_when_its_handle_is_dropped(loader: Loader, node: Node) -> None:
    handle = run(loader, Reference("test:holder", (Parameter("inner", source("held")),)))
    assert len(node.running) == 2
    instance(handle).held = None
    assert len(node.running) == 1


def test_no_cycle_is_left_of_what_was_loaded(loader: Loader, node: Node, without_collector: None) -> None:
    watches = []
    for number in range(200):
        handle = run(loader, pipeline(str(number)))
        watches.append(weakref.ref(instance(handle.proxy().parts[2])))
        del handle
        refused(
            loader, Composite("", components=(Component("a", SINK), Component("b", Reference("test:broken"))))
        )
    assert not any(watch() for watch in watches)
    assert not node.running


def wrong(loader: Loader) -> None:
    """Each way in which a check finds fault."""
    refused(loader, Reference("test:nobody"))
    refused(loader, Reference("test:sink", (Parameter("more", Plain("string", "x")),)))
    refused(loader, replace(pipeline(), connections=(Connection("source.out", "source.out"),)))
    refused(loader, replace(pipeline(), object_class=ObjectClass("test:source")))


@pytest.mark.parametrize("times", [50, pytest.param(10_000, marks=pytest.mark.slow)])
def test_checking_and_loading_leave_nothing_to_the_collector(
    loader: Loader, without_collector: None, times: int
) -> None:
    def once(number: int) -> None:
        run(loader, pipeline(str(number % 7))).close()
        if number % 10 == 0:
            wrong(loader)

    once(0)  # what is made once for a class may be in cycles
    gc.collect()
    for number in range(times):
        once(number)
    assert gc.collect() == 0


def test_recipes_twenty_deep_are_built(loader: Loader, node: Node) -> None:
    thing: Reference = SINK
    for _ in range(19):
        thing = Reference("test:pipe", (Parameter("out", thing),))
    handle = run(loader, thing)
    assert len(node.running) == 20
    feeder = run(loader, source("x"))
    node.connect(feeder.endpoint("out"), handle.endpoint("end"))
    deepest = next(proxy for proxy in node.running.values() if isinstance(proxy.instance, Sink))
    assert instance_of(deepest).taken == ["x" + "|" * 19]


def instance_of(proxy: Any) -> Any:
    return proxy.instance


def test_a_container_can_ask_whether_a_reference_fits_and_why_not(loader: Loader) -> None:
    assert loader.fits(source("x"), SourceObject)
    assert loader.fits(compact(source("x")), SourceObject)
    refusal = loader.fits(SINK, SourceObject)
    assert not refusal
    assert "out" in refusal.render()
    assert "no object test:nothing" in loader.fits(Reference("test:nothing"), SourceObject).claim
    assert "is no reference" in loader.fits("<Object", SourceObject).claim
    asked = external("a", folder(a=source("x")))
    assert "before its folder is asked" in loader.fits(asked, SourceObject).claim
    named = external("a", folder(a=source("x")), ObjectClass("test:source"))
    assert loader.fits(named, SourceObject)


def template(class_: str, *more: Parameter) -> Reference:
    return Reference("test:template", (Parameter("T", OtherClass("ValueClass", class_)), *more))


def test_classes_are_given_before_values_and_make_the_type(loader: Loader, problems: Problems) -> None:
    name = Parameter("name", text("first in the file, and needs no class"))
    thing = replace(template("liven:string"), parameters=(name, *template("liven:string").parameters))
    whole = Composite(
        "",
        components=(Component("a", source("hi")), Component("t", thing), Component("b", SINK)),
        connections=(Connection("a.out", "t.end"), Connection("t.out", "b.end")),
    )
    handle = run(loader, replace(whole, connections=whole.connections[::-1]))
    assert instance(handle.proxy().parts[2]).taken == ["hi"]
    assert instance(handle.proxy().parts[1]).name.startswith("first")
    assert len(problems) == 0


def test_a_template_without_its_classes_is_refused(loader: Loader) -> None:
    assert "the parameter 'T' is not given" in refused(loader, Reference("test:template")).what


def test_a_template_given_another_class_does_not_match(loader: Loader) -> None:
    whole = Composite(
        "",
        components=(Component("a", source("hi")), Component("t", template("liven:color"))),
        connections=(Connection("a.out", "t.end"),),
    )
    assert "a.out and t.end do not match" in refused(loader, whole).what


def test_a_template_in_a_folder_is_given_its_classes_too(loader: Loader) -> None:
    asked = external("t", folder(t=Reference("test:template")), None, *template("liven:string").parameters)
    handle = run(loader, asked)
    assert [name for name, _ in handle.type.endpoints] == ["end", "out"]


def test_of_several_folders_in_one_object_the_one_with_the_right_name_is_asked(loader: Loader) -> None:
    double = Composite(
        "",
        components=(Component("one", folder(a=source("one"))), Component("other", folder(a=source("other")))),
        exports=(Export("Endpoint", "other.Endpoint"), Export("more", "one.Endpoint")),
    )
    assert instance(run(loader, external("a", double))).text == "other"


def test_an_object_with_two_endpoints_that_match_a_parameter_is_refused(loader: Loader) -> None:
    two = Composite(
        "",
        components=(Component("a", SINK), Component("b", SINK)),
        exports=(Export("a", "a.end"), Export("b", "b.end")),
    )
    error = refused(loader, source("x", Parameter("out", two)))
    assert "all match 'out'" in error.what
    assert error.advice.startswith("name the one")

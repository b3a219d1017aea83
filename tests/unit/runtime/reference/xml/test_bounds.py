"""Every number, name and text of a recipe has a bound, the same in reader, writer and schema."""

from __future__ import annotations

import pytest

from liven.runtime.checking import parameters
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference import ids, literals
from liven.runtime.reference.errors import ReadError, WriteError
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Component,
    Composite,
    Parameter,
    Plain,
    PlainType,
    Reference,
)
from liven.runtime.reference.xml import read, write
from liven.runtime.reference.xml.schema import Schema
from liven.types.catalogue import Entry

HEAD = '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">'


def file(inside: str = "", id_: str = "liven:text", rest: str = "") -> bytes:
    return f'{HEAD}<Object xsi:type="ReferenceObject" id="{id_}"{rest}>{inside}</Object></Root>'.encode()


LONG = {
    "version": (file(f'<Requires library="A" version="{"9" * 5000}"/>'), "version has 5,000 letters"),
    "short version": (file(f'<Requires library="A" version="{"9" * 500}"/>'), "a version is a whole number"),
    "zeros": (file(f'<Requires library="A" version="{"0" * 500}1"/>'), "a version is a whole number"),
    "id": (file(id_="x" * 1001), "id has 1,001 letters; the limit is 1,000"),
    "versioned id": (file(id_="A`" + "9" * 5000), "id has 5,002 letters"),
    "library": (file(f'<Requires library="{"A" * 1001}"/>'), "library has 1,001 letters"),
    "url": (file(f'<Requires library="A" url="{"u" * 65_537}"/>'), "url has 65,537 letters"),
    "parameter": (file(f'<Parameter id="{"p" * 1001}"/>'), "id has 1,001 letters"),
    "name of the object": (file(f'<Attribute id="9F" value="{"n" * 65_537}"/>'), "value has 65,537 letters"),
    "constraint": (
        file(
            '<ObjectClass id="A"><ObjectConstraint kind="provided" class="trace"'
            f' value="{"c" * 65_537}"/></ObjectClass>'
        ),
        "value has 65,537 letters",
    ),
}


@pytest.mark.parametrize("case", LONG)
def test_a_text_beyond_its_bound_is_refused_by_reader_and_schema(case: str) -> None:
    data, why = LONG[case]
    with pytest.raises(ReadError, match=why) as caught:
        read(data)
    assert len(str(caught.value)) < 2_000
    assert Schema.load().faults(data)


@pytest.mark.parametrize(
    "thing",
    [
        Reference("x" * 1001),
        Reference("x", (Parameter("p" * 1001),)),
        Reference("x", attributes=(Attribute("9F", "n" * 65_537),)),
        Composite(components=(Component("c" * 1001, Reference("x")),)),
    ],
)
def test_the_writer_writes_nothing_that_the_reader_refuses(thing: Reference) -> None:
    with pytest.raises(WriteError, match="the limit is"):
        write(thing)


def test_texts_at_their_bounds_are_read_and_written() -> None:
    thing = Reference("x" * 1000, (Parameter("p" * 1000),), attributes=(Attribute(NAME, "n" * 65_536),))
    data = write(thing)
    assert not Schema.load().faults(data)
    assert write(read(data)) == data


@pytest.mark.parametrize("kind", ["int", "unsignedLong", "double", "float"])
@pytest.mark.parametrize("text", ["9" * 5000, "0." + "1" * 5000, "1e" + "9" * 5000, "-" * 5000])
def test_a_number_of_thousands_of_letters_is_no_number(kind: PlainType, text: str) -> None:
    with pytest.raises(literals.LiteralError) as caught:
        literals.value(Plain(kind, text))
    assert len(str(caught.value)) < 300


def test_an_id_of_thousands_of_letters_is_neither_read_nor_remembered() -> None:
    before = ids._parsed.cache_info().currsize
    assert ids.parse("A" * 5000) is None
    assert ids.parse("A`" + "9" * 5000) is None
    assert ids._parsed.cache_info().currsize == before


def test_a_fault_of_a_composite_lists_few_of_its_thousands_of_parts() -> None:
    parts = "".join(
        f'<Component id="c{n}"><Object xsi:type="ReferenceObject" id="nothing"/></Component>'
        for n in range(3000)
    )
    data = (
        f'{HEAD}<Object xsi:type="CompositeObject">{parts}<Connection from="a.b" to="c.d"/></Object></Root>'
    )
    thing = read(data.encode()).object
    assert thing is not None
    report = TypeKnowledge.stock().checker.check(thing)
    (fault, *_) = [one for one in report.faults if "there is no component" in one.what]
    assert "and 2,992 more" in fault.what
    assert len(fault.what) < 1_000


def test_a_check_reads_the_parameters_of_a_class_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe of thousands of objects of one class took seconds, most of them for one declaration."""
    known = learn_stock(TypeKnowledge.stock())
    asked: list[object] = []
    optional = parameters._optional

    def counted(entry: Entry) -> frozenset[str]:
        asked.append(entry)
        return optional(entry)

    monkeypatch.setattr(parameters, "_optional", counted)
    name = Parameter("name", Plain("string", "x"))
    parts = tuple(Component(f"c{n}", Reference("liven:memory-folder", (name,))) for n in range(300))
    assert known.checker.check(Composite(components=parts)).ok
    assert len(asked) == 1

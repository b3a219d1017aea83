"""Our schema accepts and refuses the same files as the reader, and is itself valid."""

from __future__ import annotations

import pytest
from lxml import etree

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read
from liven.runtime.reference.xml.schema import Schema, source

SCHEMA = Schema.load()
NS = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
REF = 'xsi:type="ReferenceObject"'
HEX = "0f" * 32

SOUND = [
    "",
    f"<Object {REF}/>",
    f'<Object {REF} xsi:nil="false" id="x" color="red"/>',
    f'<Object {REF}><Parameter id="a" z="1"/><Attribute id="1" value=""/><Parameter id="a"/></Object>',
    f'<Object {REF}><Requires library="a" version="3" sha256="{HEX}" signer="{HEX}" url="u" x="x"/></Object>',
    f'<Object {REF}><Requires library="a" version="" sha256=""/></Object>',
    '<Object xsi:type="CompositeObject"><Endpoint id="a" from="b"/><Connection from="a" to="b"/></Object>',
    f'<Object {REF}><Parameter id="a"><Value xsi:type="ParameterReference" id="b"/></Parameter></Object>',
    f'<Object {REF}><Parameter id="a"><Value xsi:type="Properties">a<b/>c</Value></Parameter></Object>',
]
UNSOUND = [
    "<Thing/>",
    "<Object/>",
    '<Object xsi:type="Object"/>',
    '<Object xsi:type="xsd:ReferenceObject"/>',
    f"<Object {REF}>text</Object>",
    f'<Object {REF} xsi:nil="yes"/>',
    f"<Object {REF}><Parameter/></Object>",
    f'<Object {REF}><Parameter id="a"><ValueClass id="1"/></Parameter></Object>',
    f'<Object {REF}><Parameter id="a"><Value xsi:type="xsd:date">1</Value></Parameter></Object>',
    f'<Object {REF}><Parameter id="a"><Value xsi:type="int">1</Value></Parameter></Object>',
    f'<Object {REF}><Parameter id="a"><Value xsi:type="ParameterReference"/></Parameter></Object>',
    f'<Object {REF}><Requires library="a" version="x"/></Object>',
    f'<Object {REF}><Requires library="a" sha256="0f"/></Object>',
    f'<Object {REF}><Requires version="1"/></Object>',
    f"<Object {REF}><From {REF}/><From {REF}/></Object>",
    f'<Object {REF}><Endpoint id="a" from="b"/></Object>',
    '<Object xsi:type="CompositeObject"><Component id="a"/></Object>',
    f'<Object {REF}><ObjectClass><ObjectConstraint kind="x" class="1" value="v"/></ObjectClass></Object>',
    f"<Object {REF}/><Object {REF}/>",
]


def file(inside: str) -> str:
    return f"<Root {NS}>{inside}</Root>"


@pytest.mark.parametrize("inside", SOUND)
def test_files_that_the_reader_accepts_are_valid(inside: str) -> None:
    assert SCHEMA.faults(file(inside)) == ()
    read(file(inside))


@pytest.mark.parametrize("inside", UNSOUND)
def test_files_that_the_reader_refuses_are_invalid(inside: str) -> None:
    assert SCHEMA.faults(file(inside))
    with pytest.raises(ReadError):
        read(file(inside))


def test_a_fault_names_its_line() -> None:
    assert any(fault.startswith("line 3:") for fault in SCHEMA.faults(file("\n\n<Thing/>")))


def test_text_that_is_not_xml_cannot_be_validated() -> None:
    with pytest.raises(ReadError, match="not well-formed"):
        SCHEMA.faults("<Root>")


def test_the_schema_itself_is_well_formed_and_every_definition_is_used() -> None:
    tree = etree.fromstring(source())
    names = {"r": "http://relaxng.org/ns/structure/1.0"}
    defined = {node.get("name") for node in tree.findall(".//r:define", names)}
    used = {node.get("name") for node in tree.findall(".//r:ref", names)}
    assert defined == used

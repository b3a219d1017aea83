"""The reader: the model of each quirk, and the location and words of each refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.reference.model import (
    NAME,
    Composite,
    Configuration,
    Connection,
    Document,
    Markup,
    ObjectClass,
    ParameterUse,
    Plain,
    Properties,
    Reference,
    Token,
    Value,
    name_of,
)
from liven.runtime.reference.xml import ReadError, read, read_object, write

HERE = Path(__file__).parents[1]
NS = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
REF = 'xsi:type="ReferenceObject"'


def lookalike(name: str) -> Document:
    return read((HERE / "lookalikes" / f"{name}.liveobject").read_bytes())


def reference(name: str) -> Reference:
    thing = lookalike(name).object
    assert isinstance(thing, Reference)
    return thing


def values(thing: Reference) -> dict[str, Value | None]:
    return {item.id: item.value for item in thing.parameters}


def file(inside: str) -> str:
    return f"<Root {NS}>\n{inside}\n</Root>"


def refusal(text: str | bytes) -> ReadError:
    with pytest.raises(ReadError) as caught:
        read(text)
    return caught.value


def test_braces_case_and_missing_zeros_make_no_difference() -> None:
    thing = reference("braces_and_case")
    assert thing.id == "E3EA16F4ECC84B3B998E01F3B78E9AC9"
    assert thing.attributes[0].id == "07EC27D89CBD410DADE60463E4D46985"
    channel = thing.parameters[0].value
    assert isinstance(channel, Reference)
    assert channel.object_class == ObjectClass("0806C71E88E749AA879E52F960F4B881")
    assert isinstance(channel.source, Reference)
    assert channel.source.id == "11E83FA6A9F426993BB8EF26FF7D7B8", "a key is kept as it was written"


def test_versions_are_read_at_either_side_of_the_colon_and_zeros_are_left_out() -> None:
    thing = reference("versions")
    assert thing.id == f"{0:032X}`1:E3EA16F4ECC84B3B998E01F3B78E9AC9"
    channel = thing.parameters[0].value
    assert isinstance(channel, Reference)
    assert channel.id == f"{2:032X}`3:{0x104:032X}`1"
    assert channel.object_class == ObjectClass("0806C71E88E749AA879E52F960F4B881")
    first, second = (item.value for item in channel.parameters)
    assert first == second


def test_a_wide_encoding_declared_on_narrow_bytes_is_overruled() -> None:
    thing = reference("declared_wide")
    assert name_of(thing) == "Überschrift → ein Wort"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_bytes_that_really_are_wide_are_read(encoding: str) -> None:
    text = (HERE / "lookalikes" / "declared_wide.liveobject").read_text("utf-8")
    assert read(text.encode(encoding)) == lookalike("declared_wide")


def test_a_text_is_read_whatever_encoding_it_declares() -> None:
    text = (HERE / "lookalikes" / "declared_wide.liveobject").read_text("utf-8")
    assert read(text) == lookalike("declared_wide")


def test_a_declared_table_of_letters_is_honoured() -> None:
    text = '<?xml version="1.0" encoding="windows-1252"?>' + file(
        f'<Object {REF} id="1"><Attribute id="{NAME}" value="café"/></Object>'
    )
    assert name_of(read_object(text.encode("cp1252"))) == "café"


@pytest.mark.parametrize("name", ["null_object", "null_without_id"])
def test_a_null_object_is_an_object_that_refers_to_nothing(name: str) -> None:
    assert reference(name).null


def test_a_file_may_hold_no_object_at_all() -> None:
    assert lookalike("empty").object is None


def test_comments_are_kept() -> None:
    (comment,) = lookalike("null_object").margin.comments
    assert "switched off on this machine" in comment


def test_an_authority_is_an_object() -> None:
    authority = reference("authority").authority
    assert isinstance(authority, Reference)
    assert values(authority) == {"asks": Plain("boolean", "false")}


def test_a_configuration_holds_settings_in_their_order() -> None:
    value = values(reference("configuration"))["configuration"]
    assert isinstance(value, Configuration)
    assert [(s.name, s.value) for s in value.settings] == [
        ("rate", "300"),
        ("affinity", "2"),
        ("priority", "High"),
    ]
    assert len(value.margin.comments) == 1


def test_properties_are_kept_as_markup_without_the_layout_between_elements() -> None:
    value = values(reference("properties"))["properties"]
    assert isinstance(value, Properties)
    first, second = value.content
    assert isinstance(first, Markup)
    assert [piece.tag for piece in first.content if isinstance(piece, Markup)] == [
        "Name",
        "Comment",
        "ValueClass",
        "Source",
    ]
    comment = first.content[1]
    assert isinstance(comment, Markup)
    assert comment.content == ("The last phase that the ", Markup("b", (), ("slowest",)), " member has done.")
    assert isinstance(second, Markup)
    assert second.attributes == (("{http://www.w3.org/2001/XMLSchema-instance}type", "xsd:int"),)


def test_unknown_attributes_are_kept_with_their_namespace() -> None:
    thing = reference("own_attributes")
    assert thing.margin.unknown == (("color", "red"), ("{urn:example:mood}mood", "calm"))
    assert [item.value for item in thing.attributes][2] == "under an id of the author's own"


def test_plain_values_keep_their_text_as_it_is() -> None:
    found = values(reference("every_plain_type"))
    assert found["string"] == Plain("string", "  two spaces in front, & a tab\tinside\nand a second line")
    assert found["none"] == Plain("string", nil=True)
    assert found["empty"] == Plain("string")
    assert found["literal"] == Plain("string", "<Root>&</Root>")
    assert found["int"] == Plain("int", " 12 ")
    assert found["open"] is None


def test_tokens_stand_in_an_attribute_or_as_text() -> None:
    found = values(reference("tokens"))
    assert found["address"] == Token("Address", "127.0.0.1:55002")
    assert found["as_text"] == Token("Address", None, "10.0.0.1:7")
    assert found["none"] == Token("Identifier", nil=True)


def test_prefixes_are_what_the_file_declares() -> None:
    found = values(reference("other_prefixes"))
    assert found["size"] == Plain("double", "1")
    shape = found["shape"]
    assert isinstance(shape, Properties)
    assert isinstance(shape.content[0], Markup)
    assert ("{http://www.w3.org/2001/XMLSchema-instance}type", "xsd:int") in shape.content[0].attributes


def test_constraints_are_read_in_either_spelling_of_their_kind() -> None:
    object_class = reference("constraints").object_class
    assert object_class is not None
    assert [(c.kind, c.text) for c in object_class.constraints] == [
        ("provided", "encrypted"),
        ("required", "authenticated"),
    ]
    (constraint,) = object_class.endpoint_constraints
    assert (constraint.endpoint, constraint.kind, constraint.text) == ("Channel", "required", "fifo")


def test_keys_in_a_folder_are_kept_as_they_are() -> None:
    thing = reference("keys")
    keys = [thing.id]
    while isinstance(thing.source, Reference):
        thing = thing.source
        keys.append(thing.id)
    assert keys == [f"{4:032X}", "QsmController", "{Not an id}", "E8C9D312C27649F39812B8E99AA67CBC"]


def test_an_alias_is_accepted_for_an_id_and_requirements_are_read() -> None:
    thing = reference("aliases_and_needs")
    assert thing.id == "liven:text"
    pinned, named = thing.requires
    assert (pinned.version, pinned.sha256[:8], pinned.signer[:8]) == (4, "00112233", "ffeeddcc")
    assert (named.library, named.version, named.sha256) == ("example:notes", 0, "")


def test_a_composite_is_read_whole_whatever_the_order_of_its_elements() -> None:
    thing = lookalike("composite").object
    assert isinstance(thing, Composite)
    assert [part.id for part in thing.components] == ["ring", "store_1"]
    assert thing.connections == (Connection("ring.Channel", "store.Channel"),)
    assert [(e.id, e.origin) for e in thing.exports] == [("UI", "ring.UI")]
    ring = thing.components[0].object
    assert ring.parameters[0].value == ParameterUse("members")
    assert thing.parameters[0].value == Plain("int", "7")


def test_a_reference_may_be_read_without_a_root_around_it() -> None:
    thing = reference("authority")
    assert read_object(write(thing)) == thing
    assert read_object(f'<Object {NS} {REF} id="7"/>') == Reference(f"{7:032X}")
    assert read_object(file("")) == Reference()


def test_a_malformed_file_found_in_the_wild_is_refused_with_its_place() -> None:
    error = refusal((HERE / "broken" / "class_for_value.liveobject").read_bytes())
    assert (error.line, error.column) == (7, 11)
    assert error.path == (
        "Root",
        "Object",
        "Parameter[coordinates]",
        "Value",
        "Parameter[ValueClass]",
        "ValueClass",
    )
    assert "ValueClass stands inside Parameter, where only Value may" in str(error)
    assert str(error).startswith("line 7, column 11, in Root/Object/")


REFUSED = [
    ("<Rot/>", "the outermost element is Rot"),
    (file("<Thing/>"), "Thing stands inside Root, where only Object may"),
    (file("<Object/>"), "must have the attribute '{http://www.w3.org/2001/XMLSchema-instance}type'"),
    (file('<Object xsi:type="Thing"/>'), "an object is a ReferenceObject or a CompositeObject"),
    (file(f"<Object {REF}/><Object {REF}/>"), "Root holds a second Object"),
    (file(f"<Object {REF}>seven</Object>"), "Object holds the text 'seven'"),
    (file(f"<Object {REF}><Parameter id='a'/>seven</Object>"), "Object holds the text 'seven'"),
    (file(f"<Object {REF}><Parameter/></Object>"), "Parameter must have the attribute 'id'"),
    (file(f'<Object {REF} xsi:nil="maybe"/>'), "xsi:nil is 'maybe'"),
    (file(f'<Object {REF}><Attribute id="1"/></Object>'), "Attribute must have the attribute 'value'"),
    (file(f"<Object {REF}><From {REF}/><From {REF}/></Object>"), "Object holds a second From"),
    (file(f'<Object {REF}><Component id="a"/></Object>'), "Component stands inside Object, where only"),
    (file('<Object xsi:type="CompositeObject"><Component id="a"/></Object>'), "must hold an Object"),
    (file('<Object xsi:type="CompositeObject"><Endpoint id="a"/></Object>'), "the attribute 'from'"),
    (file('<Object xsi:type="CompositeObject"><Connection from="a.b"/></Object>'), "the attribute 'to'"),
    (
        file(f'<Object {REF}><Parameter id="a"><Value xsi:type="y:int">1</Value></Parameter></Object>'),
        "the prefix 'y' of xsi:type='y:int' is not declared",
    ),
    (
        file(f'<Object {REF}><Parameter id="a"><Value xsi:type="xsd:date"/></Parameter></Object>'),
        "names no kind of value",
    ),
    (
        file(f'<Object {REF}><Parameter id="a"><Value xsi:type="xsd:int"><b/></Value></Parameter></Object>'),
        "b stands inside Value, where no element may",
    ),
    (
        file(f'<Object {REF}><Requires library="a" version="two"/></Object>'),
        "version is 'two'; a version is a whole number",
    ),
    (file(f'<Object {REF}><Requires library="a" sha256="12"/></Object>'), "64 hexadecimal digits"),
    (file(f'<Object {REF}><Requires version="1"/></Object>'), "the attribute 'library'"),
    (
        file(
            f"<Object {REF}><ObjectClass>"
            '<ObjectConstraint kind="wanted" class="1" value="x"/></ObjectClass></Object>'
        ),
        "a constraint is 'provided' or 'required'",
    ),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[words[:40] for _, words in REFUSED])
def test_anything_outside_the_grammar_is_refused_with_its_location(text: str, words: str) -> None:
    error = refusal(text)
    assert words in error.reason
    assert error.line >= 1
    assert error.column >= 1
    assert error.path

"""Bytes become text: encodings, limits, and document types that never reach the parser."""

from __future__ import annotations

import re

import pytest

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read
from liven.runtime.reference.xml.decoding import utf8
from liven.runtime.reference.xml.limits import LIMITS, Limits
from liven.runtime.reference.xml.parser import parse

ENTITIES = """<?xml version="1.0"?>
<!-- a <!DOCTYPE in a comment is nothing -->
  <!DOCTYPE Root [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
<Root>&b;</Root>"""


def refusal(data: bytes | str, limits: Limits = LIMITS) -> ReadError:
    with pytest.raises(ReadError) as caught:
        parse(data, limits)
    return caught.value


def test_a_document_type_is_refused_before_parsing_with_its_place() -> None:
    error = refusal(ENTITIES)
    assert "a document type and its entities are not supported" in error.reason
    assert (error.line, error.column) == (3, 3)


def test_a_document_type_is_found_in_a_wide_encoding() -> None:
    assert "a document type and its entities are not supported" in refusal(ENTITIES.encode("utf-16")).reason


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_known_by_their_first_bytes(encoding: str) -> None:
    text = '<?xml version="1.0" encoding="utf-32"?><Root name="é"/>'
    assert parse(text.encode(encoding)).required("name") == "é"


def test_a_document_type_in_a_comment_or_text_is_not_one() -> None:
    assert utf8("<!-- <!DOCTYPE a> --><Root>&lt;!DOCTYPE</Root>", LIMITS)


def test_an_undeclared_entity_is_refused() -> None:
    assert "not well-formed" in refusal("<Root>&b;</Root>").reason


def test_a_text_over_the_limit_of_bytes_is_refused_with_the_limit() -> None:
    error = refusal(b"<Root>" + b" " * 2000 + b"</Root>", Limits(size=1000))
    assert error.reason == "the text is larger than the limit of 1 kB"


def test_a_wide_text_counts_as_the_bytes_it_came_in() -> None:
    assert (
        "the limit of 1 kB"
        in refusal(("<Root>" + " " * 600 + "</Root>").encode("utf-16"), Limits(size=1000)).reason
    )


def test_too_many_elements_or_attributes_are_refused_before_parsing() -> None:
    few = Limits(nodes=100)
    assert "the limit is 100" in refusal("<a>" + "<b/>" * 200 + "</a>", few).reason
    attributes = " ".join(f'x{n}="1"' for n in range(200))
    assert "the limit is 100" in refusal(f"<a {attributes}/>", few).reason


def test_attributes_with_space_around_their_sign_count_as_well() -> None:
    spaced = "".join(f"<b x{n} = '1' y \n=\n\"2\"/>" for n in range(200))
    assert "601 tags and attributes" in refusal(f"<a>{spaced}</a>", Limits(nodes=500)).reason


@pytest.mark.parametrize("quote", ['"', "'"])
def test_too_many_attributes_are_refused_with_their_place(quote: str) -> None:
    crowd = " ".join(f"x{n} = {quote}1{quote}" for n in range(65))
    error = refusal(f"<Root>\n <Object {crowd}/></Root>")
    assert error.reason == "an element has 65 attributes; the limit is 64"
    assert (error.line, error.column) == (2, 2)
    assert "65 attributes" in refusal(f"<Root {crowd} broken=").reason


def test_the_largest_number_of_attributes_is_read_and_quotes_do_not_count() -> None:
    fitting = " ".join(f"x{n}='1'" for n in range(63))
    quoted = "a='1' " * 100
    assert parse(f'<Root {fitting} last="{quoted}">{quoted * 2}</Root>').tag == "Root"


def test_too_many_namespaces_are_refused_anywhere() -> None:
    one_each = "".join(f"<a{n} xmlns:n{n} = 'urn:{n}'/>" for n in range(65))
    assert "more than 64 namespaces are declared" in refusal(f"<Root>{one_each}</Root>").reason
    in_values = "".join(f'<a b="xmlns:n{n}"/>' for n in range(65))
    assert parse(f"<Root>{in_values}</Root>").tag == "Root"


@pytest.mark.parametrize("depth", [20, 300, 5000])
def test_elements_too_deep_in_each_other_are_refused_at_any_depth(depth: int) -> None:
    ns = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    inside = '<From xsi:type="ReferenceObject" id="a">' * depth + "</From>" * depth
    text = f'<Root {ns}><Object xsi:type="ReferenceObject" id="a">{inside}</Object></Root>'
    with pytest.raises(ReadError, match=r"deep|depth"):
        read(text, Limits(depth=10))


@pytest.mark.parametrize("name", ["punycode", "idna", "utf-7", "rot13", "unicode_escape", "cp037"])
def test_an_unsupported_encoding_is_refused(name: str) -> None:
    error = refusal(f'<?xml version="1.0" encoding="{name}"?><Root/>'.encode())
    assert error.reason == f"the encoding {name!r} is not supported; save the file as UTF-8"


def test_bytes_that_are_not_what_they_declare_are_refused() -> None:
    assert "not well-formed" in refusal(b"<Root>\xff\xfe</Root>").reason
    assert (
        "not us-ascii" in refusal('<?xml version="1.0" encoding="us-ascii"?><Root>é</Root>'.encode()).reason
    )
    assert "not utf-16" in refusal(b"\xff\xfe<").reason


@pytest.mark.parametrize(
    "data", [b"", b"   ", b"\xef\xbb\xbf", "", "no markup", b"<Root", b"<Root><!-- ", b"\0\0"]
)
def test_text_that_is_not_xml_is_refused_as_such(data: bytes | str) -> None:
    assert "not well-formed" in refusal(data).reason


def test_a_lone_surrogate_is_a_read_error() -> None:
    assert "not well-formed" in refusal("<Root>\ud800</Root>").reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<broken\n", "line 2, column 1: not well-formed: .*Start Tag broken [(]which begins in line 1[)]$"),
        ("<broken", "line 1, column 8: not well-formed: .*Start Tag broken$"),
        ("<Root>\n<a>\n</b>", "line 3, .*mismatch: a [(]which begins in line 2[)] and b$"),
        ("<Root>\n", "line 2, .* in tag Root [(]which begins in line 1[)]$"),
    ],
)
def test_an_error_with_two_lines_explains_both(text: str, said: str) -> None:
    assert re.search(said, str(refusal(text))), str(refusal(text))


def test_a_fault_of_the_parser_has_line_column_and_the_element_it_is_in() -> None:
    error = refusal('<Root>\n <Object id="a">\n  <Parameter id="p">\n  </Wrong>\n </Object>\n</Root>')
    assert error.line == 4
    assert error.path == ("Root", "Object", "Parameter[p]")
    assert "column" not in error.reason

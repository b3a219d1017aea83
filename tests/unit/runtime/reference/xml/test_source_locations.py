"""Lines, columns and paths in valid and broken texts."""

from __future__ import annotations

import pytest

from liven.runtime.reference.xml import source_locations

TEXT = b"""<?xml version="1.0"?>
<!-- <Root> in a comment -->
<Root>
  <Object id="a" note="> is allowed here">
    <Parameter id="p"><Value>x</Value></Parameter>
    <Parameter id='q'><Value><![CDATA[<Value>]]></Value></Parameter>
    <Connection from="a.x" to="b.y"/>
  </Object>
</Root>"""


@pytest.mark.parametrize(
    ("number", "line", "column", "path"),
    [
        (0, 3, 1, ("Root",)),
        (1, 4, 3, ("Root", "Object")),
        (3, 5, 23, ("Root", "Object", "Parameter[p]", "Value")),
        (5, 6, 23, ("Root", "Object", "Parameter[q]", "Value")),
        (6, 7, 5, ("Root", "Object", "Connection[a.x b.y]")),
    ],
)
def test_an_element_is_found_by_its_number(
    number: int, line: int, column: int, path: source_locations.Path
) -> None:
    assert source_locations.of_element(TEXT, number) == source_locations.Place(line, column, path)


def test_an_element_is_found_by_its_path() -> None:
    found = source_locations.of_path(TEXT, ("Root", "Object", "Parameter[q]", "Value"))
    assert found == source_locations.Place(6, 23, ("Root", "Object", "Parameter[q]", "Value"))


def test_for_a_wrong_path_the_nearest_element_above_is_found() -> None:
    found = source_locations.of_path(TEXT, ("Root", "Object", "Parameter[q]", "Value", "From"))
    assert found is not None
    assert found.path == ("Root", "Object", "Parameter[q]", "Value")
    assert source_locations.of_path(TEXT, ("Note",)) is None


def test_columns_count_characters_not_bytes() -> None:
    text = '<Root note="é→é"><Object/></Root>'.encode()
    assert source_locations.of_element(text, 1).column == 18


def test_a_position_is_in_the_innermost_open_element() -> None:
    assert source_locations.at(TEXT, 5, 30).path == ("Root", "Object", "Parameter[p]", "Value")
    assert source_locations.at(TEXT, 8, 3).path == ("Root", "Object")


@pytest.mark.parametrize(
    "broken",
    [
        b"<a" * 40_000,
        b"<a b='" * 30_000,
        b"<!--" * 40_000,
        b'<a b="' + b"<" * 100_000,
        b"<a " + b" x" * 60_000,
    ],
    ids=["tags", "quotes", "comments", "angles", "spaces"],
)
def test_a_broken_text_is_scanned_in_time_linear_to_its_length(broken: bytes) -> None:
    """A scan that goes back would need hours for these, and exceed the suite's own time limit."""
    assert source_locations.at(broken, 1, len(broken)).line == 1
    assert source_locations.of_element(broken, 10**9) == source_locations.Place(1, 1, ())


def test_numbers_beyond_the_text_are_no_error() -> None:
    assert source_locations.of_element(b"", 3) == source_locations.Place(1, 1, ())
    assert source_locations.at(b"<a>", 100, 100).path == ("a",)

from __future__ import annotations

from liven.types.codec.errors import CodecError, bad, missing, path_of, too_deep


def test_a_fault_shows_the_path_the_expected_type_and_the_value() -> None:
    fault = bad((".items[", 3, "].x"), "float64", "east")
    assert (fault.path, fault.problem) == (".items[3].x", "expected float64, got text")
    assert str(fault) == ".items[3].x: expected float64, got text"


def test_a_fault_at_the_top_has_no_path_to_show() -> None:
    assert str(CodecError("", "these bytes are cut")) == "these bytes are cut"


def test_under_prefixes_the_path_of_a_fault() -> None:
    fault = bad((".x",), "text", None)
    assert str(fault.under("[2]").under("op")) == "op[2].x: expected text, got nothing"


def test_the_first_field_that_is_missing_is_named() -> None:
    fault = missing(("[0]",), (("a", "int32"), ("b", "text"), ("c", "text")), {"a": 1})
    assert str(fault) == "[0].b: expected text, and the field is missing"


def test_a_fault_of_depth_names_the_limit() -> None:
    assert str(too_deep((".tail",), 100)) == ".tail: nested more than 100 levels deep"


def test_a_path_is_made_of_texts_and_indices() -> None:
    assert path_of(()) == ""
    assert path_of((".a", "[", 12, "]")) == ".a[12]"

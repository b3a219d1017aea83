from __future__ import annotations

import pytest

from liven.types.codec import NoWireFormError
from liven.types.codec.codegen_scope import MOST_LINES, Place, Script


def test_a_place_goes_into_the_value_and_into_the_source_apart() -> None:
    start = Place()
    item = start.at("'.items['", "i1", "']'").inner()
    assert item.path == "('.items[', i1, ']', )"
    assert (item.indent, item.blocks) == ("        ", 1)
    assert (start.path, start.indent, start.blocks) == ("()", "    ", 0)


def test_functions_that_are_begun_inside_others_stand_beside_them() -> None:
    script = Script()
    script.begin("def outer():")
    script.line("    ", "x = 1")
    script.begin("def inner():")
    script.line("    ", "return 2")
    script.end()
    script.line("    ", "return inner()")
    assert script.text() == "def outer():\n    x = 1\n    return inner()\n\ndef inner():\n    return 2\n"


def test_names_are_never_used_twice() -> None:
    script = Script()
    assert [script.fresh("x"), script.fresh("x"), script.fresh("r")] == ["x1", "x2", "r3"]


def test_a_script_has_a_bound() -> None:
    script = Script()
    script.begin("def endless():")
    with pytest.raises(NoWireFormError, match="too large"):
        for _ in range(MOST_LINES + 1):
            script.line("    ", "pass")

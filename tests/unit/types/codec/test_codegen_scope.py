from __future__ import annotations

import pytest

from liven.types.codec import NoWireFormError
from liven.types.codec.codegen_scope import MOST_LINES, Place, SourceBuffer


def test_at_extends_the_path_and_inner_extends_the_indent() -> None:
    start = Place()
    item = start.at("'.items['", "i1", "']'").inner()
    assert item.path == "('.items[', i1, ']', )"
    assert (item.indent, item.blocks) == ("        ", 1)
    assert (start.path, start.indent, start.blocks) == ("()", "    ", 0)


def test_a_function_begun_inside_another_is_written_beside_it() -> None:
    script = SourceBuffer()
    script.begin("def outer():")
    script.line("    ", "x = 1")
    script.begin("def inner():")
    script.line("    ", "return 2")
    script.end()
    script.line("    ", "return inner()")
    assert script.text() == "def outer():\n    x = 1\n    return inner()\n\ndef inner():\n    return 2\n"


def test_fresh_names_are_unique() -> None:
    script = SourceBuffer()
    assert [script.fresh("x"), script.fresh("x"), script.fresh("r")] == ["x1", "x2", "r3"]


def test_a_script_with_too_many_lines_is_refused() -> None:
    script = SourceBuffer()
    script.begin("def endless():")
    with pytest.raises(NoWireFormError, match="too large"):
        for _ in range(MOST_LINES + 1):
            script.line("    ", "pass")

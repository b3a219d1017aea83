"""Generated functions, compiled once."""

from __future__ import annotations

import pytest

from liven.types.fronts.compile_cache import CompileCache


def test_a_function_is_written_and_compiled_once() -> None:
    workshop, written = CompileCache(), list[str]()

    def write(name: str) -> str:
        written.append(name)
        return f"def {name}(x):\n    return x + 1\n"

    first = workshop.function("key", "add", write)
    assert workshop.function("key", "add", write) == first
    assert written == [first]
    assert workshop.get(first)(2) == 3
    assert len(workshop) == 1


def test_a_function_may_name_itself_and_its_tools() -> None:
    workshop = CompileCache(double=lambda x: 2 * x)

    def write(name: str) -> str:
        again = workshop.function("f", "f", write)
        assert again == name
        return f"def {name}(n):\n    return _double(n) if n < 3 else {name}(n - 1)\n"

    assert workshop.get(workshop.function("f", "f", write))(9) == 4


def test_every_name_of_its_own_begins_with_an_underscore() -> None:
    workshop = CompileCache(tool=1)
    names = {workshop.bring("x", object()) for _ in range(5)}
    assert len(names) == 5
    assert all(name.startswith("_") for name in names)
    assert workshop.get("_tool") == 1


def test_what_could_not_be_compiled_is_not_remembered() -> None:
    workshop = CompileCache()
    with pytest.raises(SyntaxError):
        workshop.function("bad", "bad", lambda name: f"def {name}(:")
    assert len(workshop) == 0
    good = workshop.function("bad", "bad", lambda name: f"def {name}():\n    return 1\n")
    assert workshop.get(good)() == 1

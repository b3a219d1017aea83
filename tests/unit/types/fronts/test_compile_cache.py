"""Generated functions, compiled once."""

from __future__ import annotations

import pytest

from liven.types.fronts.compile_cache import CompileCache


def test_a_function_is_written_and_compiled_once() -> None:
    cache, written = CompileCache(), list[str]()

    def write(name: str) -> str:
        written.append(name)
        return f"def {name}(x):\n    return x + 1\n"

    first = cache.function("key", "add", write)
    assert cache.function("key", "add", write) == first
    assert written == [first]
    assert cache.get(first)(2) == 3
    assert len(cache) == 1


def test_a_function_may_name_itself_and_its_tools() -> None:
    cache = CompileCache(double=lambda x: 2 * x)

    def write(name: str) -> str:
        again = cache.function("f", "f", write)
        assert again == name
        return f"def {name}(n):\n    return _double(n) if n < 3 else {name}(n - 1)\n"

    assert cache.get(cache.function("f", "f", write))(9) == 4


def test_every_name_of_its_own_begins_with_an_underscore() -> None:
    cache = CompileCache(tool=1)
    names = {cache.bind("x", object()) for _ in range(5)}
    assert len(names) == 5
    assert all(name.startswith("_") for name in names)
    assert cache.get("_tool") == 1


def test_a_failed_compilation_is_not_cached() -> None:
    cache = CompileCache()
    with pytest.raises(SyntaxError):
        cache.function("bad", "bad", lambda name: f"def {name}(:")
    assert len(cache) == 0
    good = cache.function("bad", "bad", lambda name: f"def {name}():\n    return 1\n")
    assert cache.get(good)() == 1

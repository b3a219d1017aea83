"""The place in an author's code where an error was raised, and the traceback from there."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from liven.runtime import author_traceback
from liven.runtime.errors import DereferenceError
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.task import Steps, Task
from liven.runtime.reference.ids import resolve
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.testing import Bench

LAMP = """
from __future__ import annotations

import json

from liven.runtime.objects.context import Context
from liven.types.declare import ExportedUI, proxy


@proxy(id="0C9D2A6E7B1F4D3CA5E8F6071B2C3D4F", alias="test:lamp")
class Lamp:
    UI: ExportedUI

    def __init__(self, context: Context, when: str) -> None:
        if when == "now":
            self.fall()
        context.call_later(1, self.fall if when == "later" else lambda: context.spawn(self.story()))

    def fall(self) -> None:
        json.loads("{")

    async def story(self) -> None:
        self.fall()
"""
LINE = 1 + LAMP.splitlines().index('        json.loads("{")')


@pytest.fixture
def lamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    path = tmp_path / "lamp.py"
    path.write_text(LAMP, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("lamp", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "lamp", module)
    spec.loader.exec_module(module)
    return module


def caught(function: Callable[..., Any], *values: Any) -> BaseException:
    try:
        function(*values)
    except Exception as error:
        return error
    raise AssertionError("it did not raise")


def test_the_place_is_the_deepest_of_the_authors_own_not_that_of_what_it_calls(lamp: ModuleType) -> None:
    error = caught(lamp.Lamp.fall, None)
    assert author_traceback.author_line(error) == f", at {lamp.__file__}:{LINE} in fall"


def test_an_error_of_ours_that_no_author_had_a_part_in_has_no_place_and_its_whole_way() -> None:
    error = caught(resolve, "value", 7, None)
    error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # this file is an author's, too
    assert author_traceback.author_line(error) == ""
    assert "liven/runtime/reference/ids.py" in author_traceback.author_frames(error)


def test_a_library_s_file_is_named_relative_to_the_library(lamp: ModuleType) -> None:
    folder = Path(str(lamp.__file__)).parent.name
    for name, file in (("lamp", "lamp.py"), (f"{folder}.lamp", f"{folder}/lamp.py")):
        lamp.__dict__["__name__"] = f"liven_bundle_abc.{name}"
        assert author_traceback.author_line(caught(lamp.Lamp.fall, None)) == f", at {file}:{LINE} in fall"


@pytest.mark.parametrize("when", ["now", "later", "story"])
def test_a_problem_names_the_line_and_its_detail_begins_with_the_author(lamp: ModuleType, when: str) -> None:
    bench = Bench()
    recipe = Reference("test:lamp", (Parameter("when", Plain("string", when)),))
    with pytest.raises(DereferenceError) if when == "now" else nullcontext():
        bench.load(recipe, "lamp")
    bench.advance(2)
    [problem] = bench.problems
    assert f", at {lamp.__file__}:{LINE} in fall" in problem.what
    first = problem.detail.splitlines()[1]
    assert str(lamp.__file__) in first
    assert "StopIteration" not in problem.detail
    assert "During handling" not in problem.detail
    bench.problems.clear()
    bench.close()


def test_an_error_in_a_result_s_callback_does_not_show_the_coroutine() -> None:
    """The end of a coroutine is one of Python's exceptions, which means nothing to an author."""
    heard: list[BaseException | None] = []

    async def seven() -> int:
        return 7

    def hear(_: Reply[int]) -> None:
        heard.append(caught(json.loads, "{").__context__)

    waits: Reply[None] = Reply()

    async def later() -> int:
        await waits
        return 7

    for story in (seven, later):
        steps: Steps[int] = story()
        Task(steps, lambda step: step()).reply.then(hear)
    waits.resolve(None)
    assert heard == [None, None]

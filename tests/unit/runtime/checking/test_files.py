"""Reports on whole files, for any bytes at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.runtime.checking import Provided
from liven.runtime.checking.files import FileReport, examine
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.model import Document, Object, Parameter, Reference
from liven.runtime.reference.xml import write
from liven.runtime.reference.xml.schema import Schema
from liven.runtime.testing.reference_strategies import DOCUMENTS

SCHEMA = Schema.load()
KNOWN = TypeKnowledge.stock()


def report(data: bytes, bring: object = None) -> FileReport:
    return examine("f", data, KNOWN.checker, SCHEMA)


def test_a_valid_file_has_no_problem_but_may_not_be_buildable() -> None:
    found = report(write(Reference("liven:text", (Parameter("channel"),))))
    assert (found.parses, found.valid, found.types, found.dereferences, found.ok) == (
        True,
        True,
        True,
        False,
        True,
    )
    assert found.as_record()["problem"] == "known by name only, without code here: liven:text"


@pytest.mark.parametrize("document", [Document(), Document(Reference())])
def test_nothing_to_run_is_nothing_that_could_fail(document: Document) -> None:
    found = report(write(document))
    assert found.ok
    assert found.dereferences
    assert found.as_record()["problem"] is None


def test_a_file_that_does_not_parse_is_a_report_like_any_other() -> None:
    found = report(b"<Root>")
    assert (found.parses, found.valid, found.types, found.dereferences, found.ok) == (False,) * 5
    assert str(found.as_record()["problem"]).startswith("line 1, column 7")


def test_a_report_shows_the_first_problem_and_the_number_of_others() -> None:
    found = report(write(Reference("liven:text", (Parameter("a"), Parameter("b")))))
    assert len(found.problems) == 3
    assert str(found.as_record()["problem"]).endswith("(and 2 more)")
    assert all(problem.startswith("line ") for problem in found.problems)


def test_each_problem_has_the_line_of_its_element() -> None:
    data = write(Reference("liven:text", (Parameter("channel"), Parameter("colour"))))
    (problem,) = report(data).problems
    line = next(n for n, text in enumerate(data.decode().split("\n"), 1) if "colour" in text)
    assert problem.startswith(f"line {line}, column 5, in Object/Parameter[colour]")


def test_an_unavailable_library_is_a_problem_too() -> None:
    def bring(thing: Object) -> Provided:
        return Provided(thing, problems=(ValueError(f"{thing.id} cannot be brought"),))

    found = examine("f", write(Reference("liven:registry")), KNOWN.checker, SCHEMA, bring)
    assert found.problems == ("liven:registry cannot be brought",)
    assert not found.dereferences


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS)
def test_any_document_can_be_checked_and_every_fault_has_a_place(document: Document) -> None:
    found = report(write(document))
    assert found.parses
    assert found.valid
    assert all(problem.startswith("line ") for problem in found.problems)
    assert set(found.as_record()) == {
        "path",
        "parses",
        "valid",
        "unknown_ids",
        "types",
        "dereferences",
        "problem",
    }


@given(st.binary(max_size=200))
def test_any_bytes_can_be_checked(data: bytes) -> None:
    assert report(data).parses is False


def test_the_files_of_the_original_are_all_checked_and_most_of_them_are_sound() -> None:
    folder = os.environ.get("LIVEN_CORPUS")
    if not folder:
        pytest.skip("corpus: absent (LIVEN_CORPUS names no folder); the look-alike files stand in")
    found = [report(path.read_bytes()) for path in sorted(Path(folder).rglob("*.liveobject"))]
    assert sum(one.types for one in found) > len(found) * 0.7
    assert [one for one in found if one.types and one.problems] == []

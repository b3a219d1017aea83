"""The types that a process knows before it has loaded a library."""

from __future__ import annotations

from liven.runtime.checking.type_knowledge import STRING, TypeKnowledge
from liven.types.terms.value_types import TEXT


def test_the_built_in_types_include_the_original_s_host_text() -> None:
    known = TypeKnowledge.stock()
    entry = known.catalogue.by_id("value", STRING)
    assert entry is not None
    assert known.catalogue.term(entry) == TEXT


def test_files_have_a_name_for_lists_of_any_class() -> None:
    known = TypeKnowledge.stock()
    assert known.catalogue.value("liven:list<liven:int64>") == known.catalogue.value("list<int64>")


def test_two_processes_worth_of_knowledge_share_nothing() -> None:
    assert TypeKnowledge.stock().catalogue is not TypeKnowledge.stock().catalogue


def test_the_checker_asks_the_same_matcher() -> None:
    known = TypeKnowledge.stock()
    assert known.checker.matcher is known.matcher
    assert known.checker.catalogue is known.catalogue

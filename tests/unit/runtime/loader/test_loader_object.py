"""The original's loader: a text in, a reference out."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CallFailedError
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.reference.model import Parameter, Reference
from liven.runtime.reference.xml import compact, write
from liven.runtime.user_folders import UserFolders

LOADER = Reference("991815B1E97F4BEF811476F01270FDA8", (Parameter("library", Reference("liven:library")),))
NOTE = Reference(f"{7:032X}", (Parameter("p"),))


@pytest.fixture
def probe(crank: HandCranked, problems: Problems, tmp_path: Path) -> Probe:
    known = learn_stock(TypeKnowledge.stock())
    Installation.learn(known, UserFolders.below(tmp_path), problems.report).modules.close()
    assert known.checker.check(LOADER).ok
    assert known.checker.check(LOADER).unbuilt() == (), "the library is only passed on"
    node = Node(crank, problems, known.matcher, ValueBridges())
    reply = Loader(node, known).dereference(LOADER)
    crank.settle()
    probe = Probe.joined_to(node, reply.value().endpoint("Endpoint"))
    probe.keep = reply  # type: ignore[attr-defined]  # the probe holds what it looks at
    return probe


@pytest.mark.parametrize("text", [write(NOTE).decode(), compact(NOTE)])
def test_a_text_is_read(probe: Probe, text: str) -> None:
    assert probe.end.call("load", {"xmlspecification": text}).value() == compact(NOTE)


def test_an_invalid_text_is_an_error_and_the_loader_goes_on(probe: Probe) -> None:
    with pytest.raises(CallFailedError, match="this is not a reference: line 1"):
        probe.end.call("load", {"xmlspecification": "<Root>"}).value()
    test_a_text_is_read(probe, compact(NOTE))

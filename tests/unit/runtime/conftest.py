"""A node under a hand-cranked dispatcher."""

from __future__ import annotations

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.objects.node import Node
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher


@pytest.fixture
def problems() -> Problems:
    return Problems()


@pytest.fixture
def crank(problems: Problems) -> HandCranked:
    return HandCranked(problems.report)


@pytest.fixture
def node(crank: HandCranked, problems: Problems) -> Node:
    return Node(crank, problems, Matcher(Formalisms()), ValueBridges())

"""A node with a loader, and a few classes of objects to load."""

from __future__ import annotations

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.known import Known
from liven.runtime.loader import Loader
from liven.runtime.node import Node
from liven.runtime.problems import Problems
from liven.runtime.stock import learn_stock
from liven.runtime.wrap import Wrappers


@pytest.fixture
def known() -> Known:
    return learn_stock(Known.stock())


@pytest.fixture
def node(crank: HandCranked, problems: Problems, known: Known) -> Node:
    return Node(crank, problems, known.matcher, Wrappers())


@pytest.fixture
def loader(node: Node, known: Known) -> Loader:
    return Loader(node, known)

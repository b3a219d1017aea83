"""A node under a hand-cranked dispatcher, without author's code."""

from __future__ import annotations

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.endpoint import Endpoint
from liven.runtime.node import Node
from liven.runtime.problems import Problems
from liven.runtime.turn import Handler
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher


class PlainBridges:
    """Between two declarations the values are the same here; what passed is noted."""

    def __init__(self) -> None:
        self.passed: list[str] = []

    def bridge(self, sender: Endpoint, receiver: Endpoint, event: str, handler: Handler) -> Handler:
        def cross(*args: object) -> object:
            self.passed.append(event)
            return handler(*args)

        return cross


@pytest.fixture
def problems() -> Problems:
    return Problems()


@pytest.fixture
def bridges() -> PlainBridges:
    return PlainBridges()


@pytest.fixture
def crank(problems: Problems) -> HandCranked:
    return HandCranked(problems.report)


@pytest.fixture
def node(crank: HandCranked, problems: Problems, bridges: PlainBridges) -> Node:
    return Node(crank, problems, Matcher(Formalisms()), bridges)

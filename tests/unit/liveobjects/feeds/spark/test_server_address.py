"""The addresses of clusters."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from liven.liveobjects.feeds.spark.server_address import local_address_towards
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this computer at which something listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_the_address_on_the_way_to_a_server_is_found(port: int) -> None:
    assert local_address_towards(f"spark://127.0.0.1:{port}") == "127.0.0.1"
    assert local_address_towards(f"sc://127.0.0.1:{port}/;token=x") == "127.0.0.1"


def test_one_of_several_masters_is_enough(port: int) -> None:
    assert local_address_towards(f"spark://127.0.0.1:1,127.0.0.1:{port}") == "127.0.0.1"


def test_a_server_that_does_not_answer_is_said() -> None:
    said = r"spark://127\.0\.0\.1:1 does not answer \(127\.0\.0\.1:1: Connection refused\); is it running"
    with pytest.raises(NoSparkError, match=said):
        local_address_towards("spark://127.0.0.1:1")


@pytest.mark.parametrize("url", ["spark://", "spark://host:port", "sc://:15002", "spark://host:99999"])
def test_an_address_without_meaning_is_said(url: str) -> None:
    with pytest.raises(NoSparkError, match="is not an address such as spark://host:7077"):
        local_address_towards(url)


@pytest.mark.parametrize("master", ["local[2]", "yarn", "k8s://https://host:443"])
def test_other_masters_are_left_to_spark(master: str) -> None:
    assert local_address_towards(master) is None

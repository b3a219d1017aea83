"""Tunnels: the delay of an event to another dispatcher over a local socket, and the events a second."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure

from liven.runtime.objects.probe import Probe
from liven.runtime.testing import Bench
from liven.runtime.tunnel import Tunnels
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import FLOAT64, INT64, TEXT, record

VALUE = record(x=FLOAT64, y=FLOAT64, z=FLOAT64, heading=FLOAT64, label=TEXT, serial=INT64)
TALKER = EndpointType(inputs=(("heard", VALUE),), outputs=(("say", VALUE),))
LISTENER = EndpointType(inputs=(("say", VALUE),), outputs=(("heard", VALUE),))
SENT = {"x": 1.0, "y": 2.0, "z": 3.0, "heading": 4.0, "label": "here", "serial": 5}
MANY = 20_000


def figures() -> Iterator[Figure]:
    """Yield all figures. Both ends run in this process, one after the other."""
    with tempfile.TemporaryDirectory() as place, Bench() as here, Bench() as there:
        tunnels = [Tunnels(one.node, one.known.formalisms, Path(place)) for one in (here, there)]
        talker, listener = Probe(here.node, TALKER), Probe(there.node, LISTENER)
        reply = tunnels[0].connect(talker.external, tunnels[1].offer(listener.external))
        while not reply.settled:
            there.crank.crank()
            here.crank.crank()
        heard: list[object] = []
        listener.react(say=heard.append)
        start = time.perf_counter()
        for number in range(MANY):
            talker.send("say", SENT)
            if number % 200 == 199:
                here.crank.crank()
                there.crank.crank()
        while len(heard) < MANY:
            here.crank.crank()
            there.crank.crank()
        yield Figure("events through a tunnel", MANY / (time.perf_counter() - start), "/s")
        for probe in (talker, listener):
            probe.close()
        for one in tunnels:
            one.close()

"""The test kit for authors of objects: a bench with a hand-cranked clock, probes, and a fake channel.

The tests of this product's own rooms are elsewhere. Start with `bench`.
"""

from liven.runtime.dispatcher import HandCranked
from liven.runtime.objects.probe import Probe
from liven.runtime.testing.bench import Bench, Built
from liven.runtime.testing.fake_channel import FakeChannel

__all__ = ["Bench", "Built", "FakeChannel", "HandCranked", "Probe"]

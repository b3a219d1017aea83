"""Each record becomes one row, whatever is killed while it is recorded and ingested."""

from __future__ import annotations

import os
import random
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.integration.feeds.kill_campaign import DRIVER, JAVA, PLANNER, RECORDER, WORKER, Campaign

pytestmark = [
    pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`"),
    pytest.mark.xdist_group("java"),
]
KILLS = int(os.environ.get("LIVEN_FEED_KILLS", "60"))


def test_kills_of_a_worker_a_recorder_and_the_driver_lose_and_double_nothing(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path / "home", seed=1)
    campaign.run([WORKER, RECORDER, DRIVER])
    assert campaign.killed.total() == 3
    campaign.demand_each_record_once()


@pytest.mark.slow
def test_a_long_campaign_of_kills_loses_and_doubles_nothing(tmp_path: Path) -> None:
    seed = int(os.environ.get("LIVEN_FEED_SEED", random.SystemRandom().randrange(2**32)))
    print(f"seed {seed}")  # noqa: T201 - for the report of a failure
    campaign = Campaign(tmp_path / "home", seed)
    chosen = random.Random(seed)
    kinds = [WORKER, PLANNER, DRIVER, JAVA, RECORDER]
    campaign.run([*kinds, *chosen.choices(kinds, weights=[5, 3, 2, 2, 1], k=max(0, KILLS - len(kinds)))])
    assert campaign.killed.total() == KILLS
    campaign.demand_each_record_once()

"""The one door to the compiled core: lengths and codes are checked here, and nowhere above."""

from liven.multicast.engine.codes import core_version, error_text, measure_names
from liven.multicast.engine.range_set import RangeSet
from liven.multicast.engine.simulator import (
    CampaignRun,
    Record,
    World,
    oracle_texts,
    run_campaign,
    setting_names,
)

__all__ = [
    "CampaignRun",
    "RangeSet",
    "Record",
    "World",
    "core_version",
    "error_text",
    "measure_names",
    "oracle_texts",
    "run_campaign",
    "setting_names",
]

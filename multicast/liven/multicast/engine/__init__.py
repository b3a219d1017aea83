"""The binding to the compiled core: the only package that imports `liven.multicast._core`.

It checks lengths and result codes, so that the modules above need not. Start with `sockets` (the engine on
real sockets) or `simulator`.
"""

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

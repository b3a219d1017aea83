"""Records as lines of JSON."""

from __future__ import annotations

from liven.liveobjects.feeds.exchange.json_form import json_record
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder
from liven.liveobjects.feeds.record import CONTROL, Record


def test_an_operation_of_the_channel_itself_is_no_error() -> None:
    record = Record(1, 1, "Board", "c", "", "", 5, CONTROL, b"\xc1\x91\x03")
    made = json_record(5, record, PayloadDecoder({}))
    assert made["flags"] == ["control"]
    assert made["payload"] == "wZED"
    assert "error" not in made


def test_a_payload_that_is_no_value_of_its_type_is_told() -> None:
    record = Record(1, 1, "Board", "c", "", "int64", 5, 0, b"\xc1\x91\x03")
    assert "error" in json_record(5, record, PayloadDecoder({}))

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.core.instructions import CountError, inclusive, main, risen

ROOT = Path(__file__).resolve().parents[4]


TABLE = """
41,870,560 (48.16%)  core/member/step.c:mcast_member_step
12,295,520 (14.14%)  core/receive/recv_data.c:mcast_recv_data
12,295,521 (14.14%)  wt/core/recv_data.c:mcast_recv_data [/tmp/run_fixed_load]
    99,000 ( 1.00%)  core/receive/recv_data.c:mcast_recv_data_more
"""


def test_the_count_of_a_function_is_read_from_the_table() -> None:
    assert inclusive(TABLE, "mcast_recv_data") == 12_295_521


def test_a_function_that_is_not_there_is_named() -> None:
    with pytest.raises(CountError, match="mcast_gone"):
        inclusive(TABLE, "mcast_gone")


def test_a_rise_above_five_per_cent_is_listed_and_a_smaller_one_is_not() -> None:
    before = {"send": 100.0, "receive": 100.0}
    assert risen({"send": 105.0, "receive": 106.0, "token": 9.0}, before) == ["receive"]


def test_counts_are_kept() -> None:
    kept = json.loads((ROOT / "bench" / "instructions.json").read_text(encoding="utf-8"))
    assert set(kept) == {"send", "receive", "token"}
    assert all(value > 0 for value in kept.values())


@pytest.mark.slow
def test_no_path_rose(capsys: pytest.CaptureFixture[str]) -> None:
    code = main([])
    if code == 3:
        pytest.skip("valgrind is not installed")
    assert code == 0, capsys.readouterr().out

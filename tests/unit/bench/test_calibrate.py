"""The costs of the simulated CPU: their calculation, and that they can be measured here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from liven.multicast.engine import setting_names

_KERNEL = {
    "step": 270.0,
    "send_control": 3000.0,
    "read_control": 1300.0,
    "send_repair": 800.0,
    "read_repair": 360.0,
    "send_data": 200.0,
    "read_data": 90.0,
    "send_small": 100.0,
    "read_small": 50.0,
    "deliver": 8.0,
    "create": 90.0,
    "small": 200.0,
    "large": 1224.0,
}
_CORE = {"send_small": 700.0, "send_large": 650.0, "take_small": 500.0, "take_large": 610.0, "token": 400.0}


@pytest.fixture
def calibrate(script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, root: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(root / "bench"))
    return script("bench/calibrate.py")


def test_kernel_and_core_are_added_by_packet_and_by_size(calibrate: ModuleType) -> None:
    costs = calibrate.combine(_KERNEL, _CORE)
    assert costs["cost_send_data"] == 100 + 700
    assert costs["cost_read_data"] == 50
    assert costs["cost_handle_data"] == 500
    assert costs["cost_send_kib"] == 100  # of the kernel alone: more bytes cannot cost less
    assert costs["cost_handle_kib"] == round(110 / (1100 / 1024) + 40)


def test_every_cost_is_a_setting_of_the_simulator_and_all_are_there(calibrate: ModuleType) -> None:
    costs = calibrate.combine(_KERNEL, _CORE)
    assert set(costs) == {name for name in setting_names() if name.startswith("cost_")}


def test_the_file_can_be_read_by_those_who_need_it(calibrate: ModuleType, root: Path, tmp_path: Path) -> None:
    calibrate.write(tmp_path / "calibration.json", calibrate.combine(_KERNEL, _CORE))
    written = json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))
    kept = json.loads((root / "bench" / "calibration.json").read_text(encoding="utf-8"))
    assert set(kept) <= set(written)
    assert written["slowdown"] == kept["slowdown"]


def test_bad_usage_is_reported(calibrate: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        calibrate.main(["--rounds", "0"])
    assert ended.value.code == 2
    assert "from 1" in capsys.readouterr().err


@pytest.mark.slow
def test_this_machine_can_be_measured(
    calibrate: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "calibration.json"
    assert calibrate.main(["--rounds", "1", "--output", str(output)]) == 0
    written = json.loads(output.read_text(encoding="utf-8"))
    for name in ("cost_send_control", "cost_read_control", "cost_handle_data", "cost_send_data"):
        assert 0 < written[name] < 1_000_000
    assert f"wrote {output}" in capsys.readouterr().out

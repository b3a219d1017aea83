from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

from qsm_figures import EXPERIMENTS, Claim, costs, interval, main, read_claims  # noqa: E402

CLAIM = Claim("X", "a claim", "a measure", 0.5, 1.0, "somewhere", better="above")


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.5, "reproduced"), (1.0, "reproduced"), (1.1, "better"), (0.4, "not")]
)
def test_a_value_is_reproduced_better_or_not(value: float, verdict: str) -> None:
    assert CLAIM.verdict(value) == verdict


def test_without_a_better_side_a_value_beyond_the_bounds_is_not_reproduced() -> None:
    claim = Claim("X", "a claim", "a measure", 0.5, 1.0, "somewhere")
    assert claim.verdict(2.0) == "not"
    assert claim.verdict(0.1) == "not"


def test_a_control_without_bounds_is_always_as_expected() -> None:
    assert CLAIM.control_ok(17.0)


def test_every_claim_has_an_experiment_a_source_and_bounds_that_make_sense() -> None:
    claims = read_claims()
    assert set(claims) == set(EXPERIMENTS)
    assert len(claims) >= 15
    for claim in claims.values():
        assert claim.lower < claim.upper
        assert claim.source
        assert claim.better in ("", "above", "below")
        assert bool(claim.switch) == (claim.control_lower is not None)


def test_the_interval_is_that_of_student() -> None:
    assert interval([1.0]) == 0.0
    assert interval([1.0, 3.0]) == pytest.approx(12.71)
    assert interval([2.0] * 5) == 0.0


def test_costs_are_slowed_down_as_the_calibration_says() -> None:
    assert costs()["cost_deliver"] == 200 * 30


def test_an_unknown_claim_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--id", "Z9"])
    assert ended.value.code == 2
    assert "A7" in capsys.readouterr().err


def test_a_claim_is_measured_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--id", "D5", "--seeds", "1"]) == 0
    assert "latency falls with rate" in capsys.readouterr().out

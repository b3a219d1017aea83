from __future__ import annotations

import json
from pathlib import Path

import pytest

from liven.app.main import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["key", *words, "--json"]) == 0
    facts: dict[str, object] = json.loads(capsys.readouterr().out)
    return facts


def test_a_key_is_replaced_by_add_switch_and_drop(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = shown(capsys)["speaks"]
    added = shown(capsys, "add")
    assert added["speaks"] == first
    hears = added["hears"]
    assert isinstance(hears, list)
    second = hears[1]
    assert shown(capsys, "switch")["hears"] == [second, first]
    assert shown(capsys, "drop")["hears"] == [second]
    assert shown(capsys)["speaks"] == second


def test_each_step_names_the_next_one_and_prints_no_key(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["key"]) == 0
    assert main(["key", "add"]) == 0
    out = capsys.readouterr().out
    assert "sends and accepts" in out
    assert "then: liven key switch" in out
    (path,) = home.rglob("cluster.key")
    secrets = [line.split()[1] for line in path.read_text().splitlines() if not line.startswith("#")]
    assert len(secrets) == 2
    assert all(secret not in out for secret in secrets)


def test_an_impossible_step_says_why(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key"]) == 0
    assert main(["key", "drop"]) == 3
    assert "add a second first" in capsys.readouterr().err


def test_an_invalid_setting_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "--key-file", "relative"]) == 2
    assert "--key-file is 'relative'; it must be a path from the root" in capsys.readouterr().err

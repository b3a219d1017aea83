"""The samples of feeds are what their script writes, and every format reads its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.source.formats.format_table import FORMATS, cells_reader, decoder, table, term
from liven.runtime.reference.model import Composite
from liven.runtime.reference.xml import read
from tools.feed_samples import FOLDER, SAMPLES, Sample, content

ROOT = FOLDER.parent.parent


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_is_what_the_script_writes(sample: Sample) -> None:
    assert (FOLDER / sample.name).read_bytes() == content(sample)


@pytest.mark.parametrize(
    "sample", [one for one in SAMPLES if one.format in FORMATS], ids=lambda one: one.name
)
def test_a_sample_is_read_by_its_format_without_a_fault(sample: Sample) -> None:
    data = (FOLDER / sample.name).read_bytes()
    record = FORMATS[sample.format].record
    assert record is not None
    kind = term(record)
    lines = FORMATS[sample.format].decode is None
    found = table(data, cells_reader(sample.format, kind)) if lines else decoder(sample.format, kind)(data)
    assert not found.faults
    assert len(found.rows) > 3


def test_samples_are_small() -> None:
    files = [path for path in Path(FOLDER).iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000


RECIPES = sorted(FOLDER.glob("*.liveobject"))
LOCAL = {
    "aircraft_lines": "42ea",
    "bars_file": '"open": ',
    "basestation_lines": '"callsign": "',
    "earthquakes": '"magnitude": ',
    "folder": '"change": "added"',
    "quotes": '"symbol": ',
    "quotes_file": '"bid_size": ',
}
"""Recipes that need no other computer, with a part of what they give."""
ELSEWHERE = {"aircraft_per_sector", "airspace_heard", "recorder"}
"""Recipes of objects that are no sources."""
HOSTS = {
    "mqtt": "localhost:1883",
    "nats": "localhost:4222",
    "receiver": "localhost:8080",
    "usgs": "earthquake.usgs.gov:443",
}


def liven(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LIVEN_HOME": str(home)}
    command = [sys.executable, "-m", "liven.app.main", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_every_recipe_is_run_by_a_test_here() -> None:
    assert {path.stem for path in RECIPES} == {*LOCAL, *HOSTS, *ELSEWHERE, "airspace"}


def test_a_published_result_shows_its_table() -> None:
    """A window shows the one user interface that a recipe of parts exports."""
    thing = read((FOLDER / "aircraft_per_sector.liveobject").read_bytes()).object
    assert isinstance(thing, Composite)
    assert [(each.id, each.origin) for each in thing.exports] == [("UI", "table.UI")]


@pytest.mark.slow
@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_is_valid(path: Path, tmp_path: Path) -> None:
    checked = liven(tmp_path, "check", str(path))
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", LOCAL)
def test_a_source_gives_rows(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.liveobject"
    ran = liven(tmp_path, "run", str(path), "--allow", str(FOLDER), "--log", "all", "--monitor", "--for", "4")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "problem" not in ran.stdout
    assert ran.stdout.count("out.set") >= 3
    assert LOCAL[name] in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTS)
def test_no_other_computer_is_reached_without_a_yes(name: str, tmp_path: Path) -> None:
    ran = liven(tmp_path, "run", str(FOLDER / f"{name}.liveobject"), "--for", "0.2")
    assert ran.returncode == 1
    assert f"exchange data with the computer {HOSTS[name]}, which nobody allowed" in ran.stdout
    assert "--allow-host HOST:PORT" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mqtt", "nats", "receiver"])
def test_a_server_that_is_not_there_is_a_problem_and_no_end(name: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{name}.liveobject").read_text("utf-8").replace("localhost", "127.0.0.1")
    path = tmp_path / f"{name}.liveobject"
    path.write_text(text.replace("127.0.0.1:8080", "127.0.0.1:9"), encoding="utf-8")
    host = {"mqtt": "127.0.0.1:1883", "nats": "127.0.0.1:4222", "receiver": "127.0.0.1:9"}[name]
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", int(host.rpartition(":")[2]))) == 0:
            pytest.skip(f"somebody serves {host} on this computer")
    ran = liven(tmp_path, "run", str(path), "--allow-host", host, "--log", "all", "--for", "3")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "it cannot be reached" in ran.stdout
    assert f"{name}: ended" in ran.stdout


@pytest.mark.slow
def test_the_airspace_reaches_its_channel(tmp_path: Path) -> None:
    path = FOLDER / "airspace.liveobject"
    ran = liven(tmp_path, "run", str(path), "--monitor", "--for", "4", "--service-idle", "1", "--json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert '"running"' in ran.stdout
    stored = [one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()]
    assert any(data.count(b"42ea") > 10 for data in stored), "the channel keeps what the aircraft report"


@pytest.mark.slow
def test_a_published_source_is_recorded_and_replayed_to_one_state(tmp_path: Path) -> None:
    source = [sys.executable, "-m", "liven.app.main", "run", str(FOLDER / "airspace.liveobject"), "--json"]
    environment = {**os.environ, "LIVEN_HOME": str(tmp_path)}
    publisher = subprocess.Popen(source, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert publisher.stdout is not None
        assert any('"running"' in line for line in publisher.stdout)
        heard = str(FOLDER / "airspace_heard.liveobject")
        recorded = liven(tmp_path, "feeds", "record", heard, "--feed", "live", "--for", "8s")
        assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    finally:
        publisher.terminate()
        publisher.wait(60)
        if publisher.stdout is not None:
            publisher.stdout.close()
    log = Log(tmp_path / "state" / "feeds" / "live" / "recorder")
    kinds = [record.type for _, record in log.records(log.begin, log.end)]
    assert kinds.count("liven:aircraft") > 20
    digests = {
        liven(tmp_path, "feeds", "replay", "live", "--digest", *how).stdout.partition("UTC: ")[2].strip()
        for how in (("--max",), ("--speed", "50"), ("--max", "--from", "50%"))
    }
    assert len(digests) == 1
    assert digests != {sha256(b"").hexdigest()}, "there is a state"

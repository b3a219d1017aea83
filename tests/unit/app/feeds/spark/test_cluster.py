"""`liven feeds cluster` and the words that name a cluster to a job, without one that runs."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

import pytest

from liven.app.feeds.command import ROWS
from liven.app.feeds.replay import command
from liven.app.feeds.spark import asof, backfill, cluster, compact, ingest, serve, sql, stats
from liven.app.feeds.spark.job_arguments import cluster_file, settings_of, spark_words
from liven.app.main import main
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.settings_file import write_settings


def settings(*words: str) -> SparkSettings:
    parser = argparse.ArgumentParser()
    ingest.configure(parser)
    return settings_of(parser.parse_args(words))


@pytest.mark.parametrize("module", [asof, backfill, compact, ingest, serve, sql, stats])
def test_every_job_may_run_on_a_cluster(module: object) -> None:
    parser = argparse.ArgumentParser()
    module.configure(parser)  # type: ignore[attr-defined]
    said = parser.format_help()
    assert "a Spark master, such as spark://host:7077" in " ".join(said.split())
    assert all(
        word in said for word in ("--master URL", "--remote URL", "--conf-file FILE", "--tables FOLDER")
    )


def test_another_command_is_given_the_same_spark() -> None:
    words = [
        "--conf",
        "a=b=c",
        "--conf",
        "d=",
        "--master",
        "spark://far:7077",
        "--conf-file",
        "f",
        "--tables",
        "t",
    ]
    parser = argparse.ArgumentParser()
    command.configure(parser)
    assert spark_words(parser.parse_args(["feed", *words])) == words
    assert spark_words(parser.parse_args(["feed"])) == []
    assert spark_words(parser.parse_args(["feed", "--remote", "sc://far"])) == ["--remote", "sc://far"]


def test_a_file_names_the_master_and_words_come_first(tmp_path: Path) -> None:
    file = tmp_path / "cluster.conf"
    write_settings(file, {"spark.master": "spark://far:7077", "spark.a": "1", "spark.b": "2"})
    found = settings("--conf-file", str(file), "--conf", "spark.b=3")
    assert (found.master, found.conf) == ("spark://far:7077", {"spark.a": "1", "spark.b": "3"})
    found = settings("--conf-file", str(file), "--master", "local[1]")
    assert (found.master, found.local) == ("local[1]", True)
    found = settings("--conf-file", str(file), "--remote", "sc://far")
    assert (found.master, found.remote) == ("", "sc://far")


@pytest.mark.usefixtures("home")
def test_the_address_of_the_own_cluster_is_enough() -> None:
    cluster_file().parent.mkdir(parents=True)
    write_settings(cluster_file(), {"spark.master": "spark://127.0.0.1:7", "spark.authenticate": "true"})
    found = settings("--master", "spark://127.0.0.1:7")
    assert (found.master, found.conf) == ("spark://127.0.0.1:7", {"spark.authenticate": "true"})
    assert settings("--master", "spark://127.0.0.1:8").conf == {}
    assert settings().conf == {}


def test_a_file_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feeds", "ingest", "--conf-file", str(tmp_path / "absent")]) == 2
    assert "absent: No such file" in capsys.readouterr().err


def test_a_file_without_a_master_cannot_be_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_settings(tmp_path / "f", {"spark.a": "1"})
    assert main(["feeds", "cluster", "--join", str(tmp_path / "f")]) == 2
    assert "f: it names no spark.master" in capsys.readouterr().err


def test_a_master_that_is_gone_cannot_be_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_settings(tmp_path / "f", {"spark.master": "spark://127.0.0.1:1"})
    assert main(["feeds", "cluster", "--join", str(tmp_path / "f")]) == 3
    assert "spark://127.0.0.1:1 does not answer" in capsys.readouterr().err


def test_a_cluster_that_runs_keeps_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        master = f"spark://127.0.0.1:{server.getsockname()[1]}"
        write_settings(tmp_path / "f", {"spark.master": master})
        before = (tmp_path / "f").read_bytes()
        assert main(["feeds", "cluster", "--file", str(tmp_path / "f")]) == 3
    assert f"its cluster runs at {master}; stop it first" in capsys.readouterr().err
    assert (tmp_path / "f").read_bytes() == before


def test_a_master_comes_back_at_its_port() -> None:
    assert cluster._port_of("spark://host:7077") == 7077
    assert cluster._port_of("") == cluster._port_of("spark://host") == 0


@pytest.mark.parametrize(
    "words",
    [["--workers", "0"], ["--cores", "many"], ["--memory", "8"], ["--memory", "0g"], ["--port", "70000"]],
)
def test_a_size_without_meaning_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["feeds", "cluster", *words])
    assert error.value.code == 2
    assert repr(words[1]) in capsys.readouterr().err


def test_joining_takes_the_address_from_the_file_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feeds", "cluster", "--join", "f", "--port", "7077"]) == 2
    assert "leave --file and --port out" in capsys.readouterr().err


def test_the_command_is_listed() -> None:
    assert "cluster" in {row.name for row in ROWS}

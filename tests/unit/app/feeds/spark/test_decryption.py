"""`liven feeds ingest --decrypt`: where the keys come from, and where they go."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.sealed_feed import KEY, OTHER, channel_key, describe, key_file, recipe

from liven.app.feeds.spark import job_arguments
from liven.liveobjects.feeds.encryption import without_keys
from liven.liveobjects.feeds.key_file import ChannelKey, read_keys
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.runner import Outcome
from liven.liveobjects.feeds.spark.runner import Run as SparkRun
from liven.runtime.reference.model import Document, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


@pytest.fixture
def secret(feeds: Path) -> Path:
    """Return an encrypted feed."""
    describe(feeds / "secret")
    LogWriter(feeds / "secret" / "ann").close()
    return feeds / "secret"


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the arguments of the jobs that are given to Spark, with the keys that they could read."""
    found: list[dict[str, Any]] = []

    def note(run: SparkRun, _version: str) -> Outcome:
        keys = run.arguments["keys"]
        mode = None if keys is None else stat.S_IMODE(Path(keys).stat().st_mode)
        read = [] if keys is None else read_keys(Path(keys))
        found.append({**run.arguments, "mode": mode, "read": read})
        return Outcome(0)

    monkeypatch.setattr(job_arguments, "submitted", note)
    return found


def test_keys_go_to_the_job_in_a_file_of_their_owner_and_stay_nowhere(
    run: Run, secret: Path, home: Path, jobs: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    files = tmp_path_factory.mktemp("objects")
    words = [word for key in (KEY, OTHER) for word in ("--key", key_file(files, key))]
    assert run("ingest", "secret", "--decrypt", *words) == 0
    (job,) = jobs
    assert (job["mode"], job["read"]) == (0o600, [channel_key(KEY), channel_key(OTHER)])
    assert channel_key(KEY).key not in json.dumps({"feeds": job["feeds"], "keys": job["keys"]})
    assert not Path(job["keys"]).exists()
    for path in filter(Path.is_file, home.rglob("*")):
        assert KEY not in path.read_text(errors="replace")
        assert channel_key().key not in path.read_text(errors="replace")


def test_without_decrypt_a_job_gets_no_keys(run: Run, secret: Path, jobs: list[dict[str, Any]]) -> None:
    assert run("ingest", "secret") == 0
    assert [job["keys"] for job in jobs] == [None]


def test_the_types_are_named_as_records_in_clear_name_them(
    run: Run, secret: Path, jobs: list[dict[str, Any]], tmp_path: Path
) -> None:
    classes = Parameter("MessageClass", OtherClass("ValueClass", "liven:sealed"))
    keyed = Reference("liven:encrypt", (classes, Parameter("key", Plain("string", KEY))))
    path = tmp_path / "twice.liveobject"
    path.write_bytes(write(Document(keyed)))
    assert run("ingest", "--decrypt", "--key", path) == 0
    (key,) = jobs[0]["read"]
    assert isinstance(key, ChannelKey)
    assert (key.message.name, key.state) == ("liven:sealed", None)
    assert key.message.notation.startswith("{box: bytes, count: uint64")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--decrypt"], "--decrypt needs the file of the object, which has the key: --key FILE"),
        (["--key", "x"], "--key is for --decrypt, which writes tables in clear; give both"),
        (["--decrypt", "--key", "none"], "none: "),
        (["--decrypt", "--key", "bare"], "bare has no key: it may keep a list of readers"),
        (["--decrypt", "--key", "short"], "the recipe has a bad key"),
        (
            ["--decrypt", "--key", "vague"],
            "vague has a key, but does not say of what: state the MessageClass",
        ),
        (["--decrypt", "--key", "odd"], "odd: the class of its values is not known here"),
        (["--decrypt", "--key", "good", "--master", "spark://x:1"], "--decrypt works on this computer alone"),
        (["--decrypt", "--key", "good", "--remote", "sc://x:1"], "--decrypt works on this computer alone"),
    ],
)
def test_one_sentence_says_why_keys_cannot_be_used(
    run: Run,
    secret: Path,
    jobs: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Out,
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    key = Parameter("key", Plain("string", KEY))
    odd = Parameter("MessageClass", OtherClass("ValueClass", "nobody:knows"))
    files = {
        "good": recipe(),
        "bare": without_keys(recipe()),
        "short": recipe("xy"),
        "vague": Reference("liven:encrypt", (key,)),
        "odd": Reference("liven:encrypt", (odd, key)),
    }
    for name, thing in files.items():
        Path(name).write_bytes(write(Document(thing)))
    assert run("ingest", "secret", *words) == 2
    told = capsys.readouterr().err
    assert told.startswith("liven: ")
    assert said in told
    assert told.count("\n") == 1
    assert KEY not in told
    assert not jobs

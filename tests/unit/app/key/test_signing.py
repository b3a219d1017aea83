"""`liven key` and signatures: objects and libraries are signed, and the signers that are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.gui.trust.sign_library import SOURCE

from liven.app.main import main
from liven.runtime.library.fetching.bundle import read_bundle
from liven.runtime.reference.model import NAME, Attribute, Parameter, Plain, Reference
from liven.runtime.reference.xml import read, read_object, write
from liven.runtime.reference.xml.schema import Schema
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.signing.signature import Signature, Signed, read_signature

NOTE = Reference("liven:text", attributes=(Attribute(NAME, "Note"),))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def note(home: Path) -> Path:
    path = home / "note.liveobject"
    path.write_bytes(write(NOTE))
    return path


def facts(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, object]:
    assert main(["key", *words, "--json"]) == code
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_an_object_is_signed_in_its_file_and_stays_the_same_object(
    note: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = facts(capsys, "show", str(note))["sha256"]
    assert main(["key", "make", "Ann's laptop"]) == 0
    assert main(["key", "sign", str(note)]) == 0
    assert "signed as “Ann's laptop”" in capsys.readouterr().out
    after = facts(capsys, "show", str(note))
    assert after["sha256"] == before
    assert [(one["holds"], one["says"]) for one in after["signatures"]] == [  # type: ignore[attr-defined]
        (True, "you, as “Ann's laptop”")
    ]
    (note.parent / "home" / "config" / "signing.key").rename(note.parent / "away")
    assert "a claim; you have not met this key" in str(facts(capsys, "show", str(note)))
    (note.parent / "away").rename(note.parent / "home" / "config" / "signing.key")
    assert Schema.load().faults(note.read_bytes()) == ()
    assert main(["key", "sign", str(note)]) == 0
    found = read(note.read_bytes()).object
    assert found is not None
    assert len(found.signatures) == 1, "signing again replaces one's own signature"
    assert note.read_bytes() == write(found)


def test_a_changed_object_has_no_valid_signature(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "sign", str(note)]) == 0
    signed = read_object(note.read_bytes())
    more = Parameter("channel", Plain("string", "other"))
    note.write_bytes(write(Reference("liven:text", (more,), signatures=signed.signatures)))
    capsys.readouterr()
    found = facts(capsys, "show", str(note), code=1)
    assert "it was changed since" in str(found)


def test_a_library_is_signed_in_a_file_beside_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home / "sign.py"
    path.write_text(SOURCE)
    said = facts(capsys, "sign", str(path))
    found = read_signature((home / "sign.py.sig").read_bytes())
    assert found.holds(Signed.LIBRARY, read_bundle(path).sha256)
    assert path.read_text() == SOURCE
    line = str(said["in a recipe"]).replace("…", "https://example.org/sign.py")
    start = '<Object xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ReferenceObject" id="x">'
    [need] = read_object(f"{start}{line}</Object>").requires
    assert Signature(need.signer, need.signed_as, need.signature).holds(Signed.LIBRARY, need.sha256)


def test_an_object_without_a_signature_is_called_so(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "show", str(note)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("object, sha256 ")
    assert "not signed" in said


def test_a_library_is_shown_with_the_signature_beside_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "sign.py"
    path.write_text(SOURCE)
    assert main(["key", "show", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"library, sha256 {read_bundle(path).sha256}")
    assert "not signed: there is no sign.py.sig beside it" in said
    assert main(["key", "make", "Ann's laptop"]) == 0
    assert main(["key", "sign", str(path)]) == 0
    assert main(["key", "show", str(path)]) == 0
    assert "you, as “Ann's laptop”" in capsys.readouterr().out
    path.write_text(SOURCE + "\n# changed\n")
    found = facts(capsys, "show", str(path), code=1)
    assert "not for this library: it was changed since" in str(found)
    (home / "sign.py.sig").write_text("nonsense")
    assert main(["key", "show", str(path)]) == 1
    assert "not a signature" in capsys.readouterr().err
    assert main(["key", "show", str(home / "none.py")]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_known_signers_are_listed_and_forgotten(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "list"]) == 0
    assert "you know no signers" in capsys.readouterr().out
    KnownSigners.of(home / "home" / "config").meet("ab" * 32, "Ann's laptop", trust=True)
    assert main(["key", "list"]) == 0
    out = capsys.readouterr().out
    assert "Ann's laptop, known since" in out
    assert "new code is not asked about" in out
    assert main(["key", "forget", "Ben"]) == 1
    assert "`liven key list`" in capsys.readouterr().err
    assert main(["key", "forget", "ann's laptop"]) == 0
    capsys.readouterr()
    assert not facts(capsys, "list")


def test_the_secret_is_never_printed(note: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["make"], ["show"], ["sign", str(note)], ["show", str(note)], ["list"]):
        assert main(["key", *words]) == 0
    path = home / "home" / "config" / "signing.key"
    secret = json.loads(path.read_text())["secret"]
    captured = capsys.readouterr()
    assert secret not in captured.out + captured.err
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["sign"], 2, "needs FILE or LIBRARY"),
        (["forget"], 2, "needs NAME or KEY"),
        (["sign", "/nothing/here"], 2, "does not exist"),
        (["add", "x"], 2, "takes nothing more"),
        (["make"], 3, "exists already"),
    ],
)
def test_bad_use_says_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    assert main(["key", "make", "Ann"]) == 0
    assert main(["key", *words]) == code
    assert said in capsys.readouterr().err


def test_a_file_that_holds_no_object_is_not_signed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = home / "bad.liveobject"
    bad.write_text("<broken")
    assert main(["key", "sign", str(bad)]) == 1
    assert bad.read_text() == "<broken"
    assert main(["key", "show", str(bad)]) == 1

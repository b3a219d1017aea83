"""Trust on first use: a name belongs to the first key that came with it."""

from __future__ import annotations

import fcntl
import stat
import threading
from pathlib import Path

import pytest

from liven.runtime.signing import known_signers
from liven.runtime.signing.known_signers import KnownSigners, OtherKeyError, Signer, SignerError

ANN, BEN = "a1" * 32, "b2" * 32


@pytest.fixture
def signers(tmp_path: Path) -> KnownSigners:
    return KnownSigners.of(tmp_path / "config")


def test_a_signer_is_known_from_the_first_meeting(signers: KnownSigners, tmp_path: Path) -> None:
    assert signers.find(ANN) is None
    met = signers.meet(ANN, "Ann's laptop")
    assert signers.meet(ANN, "Ann's new name") == met, "the name of the first meeting stays"
    assert signers.all() == (met,)
    assert stat.S_IMODE((tmp_path / "config" / "signers.json").stat().st_mode) == 0o600
    assert str(Signer(ANN, "Ann's laptop", "2026-11-03")) == "Ann's laptop, known since 3 November 2026"


@pytest.mark.parametrize("name", ["Ann's laptop", "ann’s  LAPTOP", "Ａnn's laptop", "Ann\u200b's laptop"])
def test_a_known_name_with_another_key_is_refused(signers: KnownSigners, name: str) -> None:
    signers.meet(ANN, "Ann's laptop")
    with pytest.raises(OtherKeyError) as caught:
        signers.meet(BEN, name)
    said = str(caught.value)
    assert "“Ann's laptop” is known since" in said
    assert "a1a1 a1a1" in said
    assert "b2b2 b2b2" in said
    assert f"liven key forget {ANN[:16]}" in said
    assert [one.key for one in signers.all()] == [ANN]


def test_trust_is_given_once_and_taken_by_forgetting(signers: KnownSigners) -> None:
    signers.meet(ANN, "Ann")
    assert signers.meet(ANN, "Ann", trust=True).trusted
    assert signers.meet(ANN, "Ann").trusted
    assert [one.name for one in signers.forget("ANN")] == ["Ann"]
    assert signers.all() == ()
    assert not signers.meet(BEN, "Ann").trusted


def test_a_signer_is_forgotten_by_name_or_by_the_beginning_of_the_key(signers: KnownSigners) -> None:
    signers.meet(ANN, "Ann")
    signers.meet(BEN, "Ben")
    assert signers.forget("a1") == (), "two digits could be a name, and fit too many keys"
    assert [one.name for one in signers.forget("A1A1 A1A1 a1a1")] == ["Ann"]
    assert [one.name for one in signers.all()] == ["Ben"]


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"key": "x"}]', '{"a": 1}', "[" * 9999])
def test_a_damaged_file_is_an_error_and_is_left_as_it_is(
    signers: KnownSigners, tmp_path: Path, text: str
) -> None:
    signers.meet(ANN, "Ann")
    path = tmp_path / "config" / "signers.json"
    path.write_text(text)
    for use in (signers.all, lambda: signers.meet(BEN, "Ben"), lambda: signers.forget("Ann")):
        with pytest.raises(SignerError, match="cannot be understood"):
            use()
    assert path.read_text() == text


def test_signers_met_at_the_same_time_are_all_remembered(signers: KnownSigners) -> None:
    def meet(number: int) -> None:
        signers.meet(f"{number:064x}", f"signer {number}")

    threads = [threading.Thread(target=meet, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(signers.all()) == 12


def test_a_program_that_holds_the_lock_for_ever_ends_in_a_sentence(
    signers: KnownSigners, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signers.meet(ANN, "Ann")
    monkeypatch.setattr(known_signers, "PATIENCE", 0.02)
    with (tmp_path / "config" / "signers.json.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(SignerError, match="does not let go"):
            signers.meet(BEN, "Ben")
    assert signers.meet(BEN, "Ben").name == "Ben"


def test_the_number_of_signers_is_limited(signers: KnownSigners, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_signers, "MOST", 1)
    signers.meet(ANN, "Ann")
    with pytest.raises(SignerError, match="which is the limit"):
        signers.meet(BEN, "Ben")
    assert [one.key for one in signers.all()] == [ANN]

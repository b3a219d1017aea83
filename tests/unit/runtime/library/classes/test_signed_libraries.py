"""A library whose recipe names a signer: who is known, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.runtime.library.classes.library_recipes import (
    NAME,
    Install,
    Make,
    Person,
    box,
    built,
    module_of,
    packed,
    refused,
)

from liven.runtime.dispatcher import HandCranked
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trust import Permission
from liven.runtime.loader import Loader
from liven.runtime.problems import Problems
from liven.runtime.reference.model import (
    Requirement,
)
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.signing.own_key import OwnKey, make_key
from liven.runtime.signing.signature import Signed


def signed(bundle: Bundle, by: OwnKey, url: str) -> Requirement:
    """Return the requirement of a library with its signature, as `liven key sign` prints it."""
    proof = by.sign(Signed.LIBRARY, bundle.sha256)
    return Requirement(NAME, 1, bundle.sha256, by.signer, url, proof.name, proof.proof)


def test_a_signed_library_names_its_signer_in_the_question_and_makes_them_known(
    loader: Loader,
    crank: HandCranked,
    person: Person,
    make: Make,
    site: tuple[Path, str],
    ann: OwnKey,
    signers: KnownSigners,
    store: Store,
) -> None:
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make()))
    need = signed(make(), ann, f"{address}/box.zip")
    built(loader, crank, box(need)).close()
    [question] = person.asked
    assert (question.signer, question.signed_as) == (ann.signer, "Ann's laptop")
    assert [(one.key, one.name) for one in signers.all()] == [(ann.signer, "Ann's laptop")]
    signature = store.find(need).signature()
    assert signature is not None
    assert signature.signer == ann.signer


def test_a_signature_may_be_in_a_file_beside_the_library(
    loader: Loader, crank: HandCranked, person: Person, make: Make, site: tuple[Path, str], ann: OwnKey
) -> None:
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make()))
    (folder / "box.zip.sig").write_bytes(ann.sign(Signed.LIBRARY, make().sha256).file())
    any_content = Requirement(NAME, 1, "", ann.signer, f"{address}/box.zip")
    built(loader, crank, box(any_content)).close()
    built(loader, crank, box(any_content)).close()
    assert [one.signed_as for one in person.asked] == [""], "the installed one is known to be signed"


@pytest.mark.parametrize("answer", [Permission.KEPT, Permission.NO])
def test_a_signature_on_another_host_is_asked_about_and_is_no_library(
    loader: Loader,
    crank: HandCranked,
    person: Person,
    problems: Problems,
    make: Make,
    site: tuple[Path, str],
    ann: OwnKey,
    store: Store,
    answer: Permission,
) -> None:
    folder, address = site
    (folder / "split").mkdir()
    (folder / "split" / "box.zip").write_bytes(packed(make()))
    proof = ann.sign(Signed.LIBRARY, make().sha256).file()
    (folder / "moved").mkdir()
    (folder / "moved" / "box.zip.sig").write_bytes(proof)
    person.answers = [Permission.KEPT, answer]
    any_content = Requirement(NAME, 1, "", ann.signer, f"{address}/split/box.zip")
    if answer:
        built(loader, crank, box(any_content)).close()
    else:
        assert "nobody allowed fetching it from http://localhost:" in str(
            refused(loader, crank, problems, box(any_content))
        )
    first, second = person.asked
    assert (first.url, first.sent_on_from) == (f"{address}/split/box.zip", "")
    assert second.url == address.replace("127.0.0.1", "localhost") + "/moved/box.zip.sig"
    assert second.sent_on_from == "127.0.0.1"
    assert [isinstance(one, Installed) and one.signature() is not None for one in store.all()] == (
        [True] if answer else []
    )


def test_a_wrong_signature_in_a_reference_is_refused_before_anybody_is_asked(
    loader: Loader, crank: HandCranked, person: Person, problems: Problems, make: Make, ann: OwnKey
) -> None:
    need = replace(signed(make(), ann, "https://e.test/x.zip"), sha256=make(version=2).sha256)
    error = refused(loader, crank, problems, box(need))
    assert "is not signed by “Ann's laptop”, the key" in str(error)
    assert person.asked == []


@pytest.mark.parametrize("file", ["none", "of another key", "of other content", "not a signature"])
def test_a_library_that_its_signer_did_not_sign_is_not_installed(
    loader: Loader,
    crank: HandCranked,
    problems: Problems,
    make: Make,
    site: tuple[Path, str],
    ann: OwnKey,
    signers: KnownSigners,
    store: Store,
    tmp_path: Path,
    file: str,
) -> None:
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make()))
    ben = make_key(tmp_path / "ben", "Ben")
    files = {
        "of another key": ben.sign(Signed.LIBRARY, make().sha256).file(),
        "of other content": ann.sign(Signed.LIBRARY, make(version=2).sha256).file(),
        "not a signature": b"hello",
    }
    if file in files:
        (folder / "box.zip.sig").write_bytes(files[file])
    error = refused(loader, crank, problems, box(Requirement(NAME, 1, "", ann.signer, f"{address}/box.zip")))
    words = {"none": "the server says 404", "not a signature": "is not a signature"}
    assert words.get(file, "has not signed; it was not installed") in str(error)
    assert list(store.all()) == []
    assert signers.all() == ()


def test_a_known_name_with_another_key_is_refused_before_anybody_is_asked(
    loader: Loader,
    crank: HandCranked,
    person: Person,
    problems: Problems,
    make: Make,
    ann: OwnKey,
    signers: KnownSigners,
    tmp_path: Path,
) -> None:
    signers.meet(ann.signer, ann.name)
    stranger = make_key(tmp_path / "stranger", "ann's LAPTOP")
    error = refused(loader, crank, problems, box(signed(make(), stranger, "https://e.test/x.zip")))
    assert "“Ann's laptop” is known since" in str(error)
    assert "liven key forget" in str(error)
    assert person.asked == []


def test_an_installed_library_of_somebody_else_does_not_stand_in_for_a_signed_one(
    loader: Loader,
    crank: HandCranked,
    person: Person,
    problems: Problems,
    make: Make,
    install: Install,
    site: tuple[Path, str],
    ann: OwnKey,
) -> None:
    """The higher version is installed but unsigned."""
    install(9)
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make(version=2)))
    (folder / "box.zip.sig").write_bytes(ann.sign(Signed.LIBRARY, make(version=2).sha256).file())
    handle = built(loader, crank, box(Requirement(NAME, 1, "", ann.signer, f"{address}/box.zip")))
    assert make(version=2).sha256[:32] in module_of(handle)
    assert len(person.asked) == 1

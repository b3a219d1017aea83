"""The part of `liven key` about signatures: this person's own key, and the signers that the person knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

from liven.app.network.cli import complain
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import read_regular, rewrite_file, write_file
from liven.runtime.folder.item_files import SUFFIX as OBJECT_SUFFIX
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.fetching.bundle import read_bundle
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.identity import digest
from liven.runtime.reference.ids import Lookup
from liven.runtime.reference.model import Document, ObjectSignature
from liven.runtime.reference.xml import LIMITS, read, write
from liven.runtime.signing.known_signers import KnownSigners, Signer, SignerError
from liven.runtime.signing.own_key import OwnKey, OwnKeyError, ensure_key, key_path, make_key, read_key
from liven.runtime.signing.signature import (
    LARGEST_FILE,
    SUFFIX,
    Signature,
    SignatureError,
    Signed,
    claimed_name,
    fingerprint,
    read_signature,
)
from liven.runtime.user_folders import UserFolders

_LIBRARIES = (".py", ".zip")
"""The endings of libraries; a folder is one, too."""


def make(folders: UserFolders, name: str, *, as_json: bool) -> int:
    """Make the key of this person."""
    try:
        _say_key(make_key(folders.config, name), key_path(folders.config), as_json=as_json)
    except OwnKeyError as error:
        return complain(str(error), ENVIRONMENT)
    return OK


def show_file(folders: UserFolders, file: Path, *, as_json: bool) -> int:
    """Print the fingerprint of an object's file or of a library, and who has signed it."""
    is_library = file.is_dir() or file.suffix in _LIBRARIES
    try:
        identity, signed = _library_facts(file) if is_library else _object_facts(folders, file)
        signers = KnownSigners.of(folders.config)
        me = read_key(folders.config)
        kind = Signed.LIBRARY if is_library else Signed.OBJECT
        rows = [_judged(one, kind, identity, signers, me) for one in signed]
    except (SignerError, OwnKeyError) as error:
        return complain(str(error), ENVIRONMENT)
    except OSError as error:
        return complain(f"{file}: {error.strerror or error}", NO)
    except (RecipeError, LibraryError, SignatureError) as error:
        return complain(f"{file}: {error}", NO)
    if as_json:
        print(json.dumps({"sha256": identity, "signatures": rows}, ensure_ascii=False))
    else:
        unsigned = (
            f"  not signed: there is no {file.name}{SUFFIX} beside it" if is_library else "  not signed"
        )
        said = [f"  {row['signer']}: {row['says']}" for row in rows] or [unsigned]
        print("\n".join([f"{'library' if is_library else 'object'}, sha256 {identity}", *said]))
    return OK if all(row["holds"] for row in rows) else NO


def sign(folders: UserFolders, path: Path, *, as_json: bool) -> int:
    """Sign an object's file in its place, or a library in a file beside it."""
    if not path.exists():
        return complain(f"{path} does not exist; name a {OBJECT_SUFFIX} file or a library", BAD_USE)
    try:
        key = ensure_key(folders.config)
        sign_it: Callable[[UserFolders, OwnKey, Path], dict[str, str]] = (
            _sign_object if path.suffix == OBJECT_SUFFIX else _sign_library
        )
        said = sign_it(folders, key, path)
    except (RecipeError, LibraryError) as error:
        return complain(f"{path}: {error}", NO)
    except OSError as error:
        return complain(str(error), ENVIRONMENT)
    if as_json:
        print(json.dumps(said, ensure_ascii=False))
    else:
        print(f"signed as “{key.name}”, key {fingerprint(key.signer)}")
        print("\n".join(f"{name}: {text}" for name, text in said.items()))
    return OK


def listed(folders: UserFolders, *, as_json: bool) -> int:
    """Print the known signers."""
    try:
        found = KnownSigners.of(folders.config).all()
    except SignerError as error:
        return complain(str(error), ENVIRONMENT)
    if as_json:
        rows = [
            {"key": one.key, "name": one.name, "since": one.since, "trusted": one.trusted} for one in found
        ]
        print(json.dumps(rows, ensure_ascii=False))
        return OK
    print(
        "\n".join(_lines(found))
        or "you know no signers; you meet one with the first signed code that you run"
    )
    return OK


def forget(folders: UserFolders, words: str, *, as_json: bool) -> int:
    """Forget the signers of that name or key."""
    try:
        gone = KnownSigners.of(folders.config).forget(words)
    except SignerError as error:
        return complain(str(error), ENVIRONMENT)
    if not gone:
        return complain(
            f"no signer is called {words!r}, and no key begins so; `liven key list` lists them", NO
        )
    if as_json:
        print(json.dumps([one.key for one in gone]))
    else:
        print("\n".join(f"forgot {one.name}, key {fingerprint(one.key)}" for one in gone))
    return OK


def say_own(key: OwnKey | None, path: Path) -> None:
    """Print the key of this person after those of the cluster."""
    print(f"{path}")
    print(f"  {_described(key)}" if key is not None else "  none yet; `liven key sign` makes one")


def _say_key(key: OwnKey, path: Path, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"file": str(path), "name": key.name, "signer": key.signer}, ensure_ascii=False))
    else:
        say_own(key, path)


def _described(key: OwnKey) -> str:
    return f"signs as “{key.name}”, key {fingerprint(key.signer)}\n  signer {key.signer}"


def _document(file: Path) -> Document:
    return read(read_regular(file, LIMITS.size))


def _object_facts(folders: UserFolders, file: Path) -> tuple[str, list[Signature]]:
    found = _document(file)
    identity = _identity(folders, found)
    signed = () if found.object is None else found.object.signatures
    return identity, [Signature(one.signer, one.name, one.proof) for one in signed]


def _library_facts(path: Path) -> tuple[str, list[Signature]]:
    """Return the hash of a library, and the signature in the file beside it."""
    identity = read_bundle(path).sha256
    try:
        return identity, [read_signature(read_regular(_beside(path), LARGEST_FILE + 1))]
    except FileNotFoundError:
        return identity, []


def _beside(library: Path) -> Path:
    """Return the file with the signature of a library."""
    return library.with_name(library.name + SUFFIX)


def _identity(folders: UserFolders, found: Document) -> str:
    """Return the identity of the object in a file, with the classes that are installed here."""
    if found.object is None:
        raise RecipeError("it holds no object")
    return digest(found.object, _lookup(folders, found))


def _lookup(folders: UserFolders, found: Document) -> Lookup:
    known = learn_stock(TypeKnowledge.stock())
    installation = Installation.learn(known, folders, lambda _: None)
    try:
        if found.object is not None:
            installation.load_for(found.object)
        return known.checker.lookup
    finally:
        installation.close()


def _judged(
    one: Signature, kind: Signed, identity: str, signers: KnownSigners, me: OwnKey | None
) -> dict[str, object]:
    holds = one.holds(kind, identity)
    known = signers.find(one.signer)
    who = (
        str(known)
        if known is not None
        else f"“{claimed_name(one.name)}” (a claim; you have not met this key)"
    )
    if me is not None and me.signer == one.signer:
        who = f"you, as “{claimed_name(one.name)}”"
    says = who if holds else f"the signature is not for this {kind.value}: it was changed since"
    return {"signer": fingerprint(one.signer), "holds": holds, "says": says}


def _sign_object(folders: UserFolders, key: OwnKey, path: Path) -> dict[str, str]:
    found = _document(path)
    identity = _identity(folders, found)
    assert found.object is not None
    made = key.sign(Signed.OBJECT, identity)
    others = tuple(one for one in found.object.signatures if one.signer != key.signer)
    signed = (*others, ObjectSignature(made.signer, made.name, made.proof))
    rewrite_file(path, write(replace(found, object=replace(found.object, signatures=signed))))
    return {"sha256": identity, "file": str(path)}


def _sign_library(_: UserFolders, key: OwnKey, path: Path) -> dict[str, str]:
    bundle = read_bundle(path)
    made = key.sign(Signed.LIBRARY, bundle.sha256)
    beside = _beside(path)
    write_file(beside, made.file())
    line = (
        f'<Requires library="{bundle.library}" version="{bundle.metadata.version}" sha256="{bundle.sha256}"'
        f' signer="{made.signer}" name={quoteattr(made.name)} signature="{made.proof}" url="…"/>'
    )
    return {"file": str(beside), "in a recipe": line}


def _lines(found: tuple[Signer, ...]) -> Iterator[str]:
    for one in found:
        trusted = "; new code is not asked about" if one.trusted else ""
        yield f"{one}{trusted}\n  key {fingerprint(one.key)}"

"""Bundles: the files of a library before it is installed, from any source, in memory and of limited size.

A bundle comes from a folder in the layout of the store, from a zip archive of one, or from a single module
that names its library by `LIBRARY = "NAMESPACE`VERSION"`.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import stat
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from liven.runtime.files import read_regular, readable_size
from liven.runtime.library.errors import BundleError, NamelessError
from liven.runtime.library.trial.syntax_tree import parsed
from liven.runtime.reference import ids
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml.metadata import Metadata, read_metadata
from liven.runtime.signing.signature import Signature

METADATA = "metadata.xml"
DATA = "data"
MOST_FILES = 2_000
MOST_BYTES = 64 << 20
_SILENT = "does not say which library it is"
_IGNORED = ("__pycache__", ".git", ".DS_Store")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A library's metadata and its files, by their path below `data/`."""

    metadata: Metadata
    files: Mapping[str, bytes]
    signature: Signature | None = None
    """The signature of its hash, which was verified."""

    @property
    def sha256(self) -> str:
        """The hash of its identity, its list of modules, and every file."""
        return content_hash(self.metadata, ((name, data) for name, data in self.files.items()))

    @property
    def library(self) -> str:
        """Its name for messages: `NAMESPACE`VERSION`."""
        return f"{self.metadata.namespace:032X}`{self.metadata.version}"


def content_hash(metadata: Metadata, files: Iterable[tuple[str, bytes]]) -> str:
    """Return SHA-256 over the id, the includes in their order, and the hash of each file, sorted by path.

    They are written as JSON, so that no name can be mistaken for another field, whatever characters it has.
    """
    identity = f"{metadata.namespace:032X}`{metadata.version}"
    hashes = sorted((name, hashlib.sha256(data).hexdigest()) for name, data in files)
    whole = json.dumps(["liven bundle 2", identity, metadata.includes, hashes], separators=(",", ":"))
    return hashlib.sha256(whole.encode()).hexdigest()


def read_bundle(path: Path, identity: str = "") -> Bundle:
    """Return the bundle at `path`; `identity` names the library of a module that does not.

    Raise BundleError.
    """
    try:
        if path.is_dir():
            return _from_files(path.name, dict(_walk(path)))
        data = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        raise BundleError(f"{path} does not exist; name a folder, a .zip or a .py file") from None
    except OSError as error:
        raise BundleError(f"{path} cannot be read: {error.strerror or error}") from error
    if zipfile.is_zipfile(io.BytesIO(data)):
        return from_archive(path.name, data)
    if path.suffix == ".py":
        return from_module(path.name, data, identity)
    raise BundleError(
        f"{path} is not a bundle; name a folder with {METADATA} and {DATA}/, a .zip of one, or a .py file"
    )


def from_archive(name: str, data: bytes) -> Bundle:
    """Return the bundle in a zip archive. Its unpacked size is limited before and during unpacking."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            _bound(name, len(members), sum(member.file_size for member in members))
            _refuse_doubles(name, [member.filename for member in members])
            return _from_files(name, {m.filename: _unpacked(archive, m) for m in members})
    except BundleError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors for damaged archives
        raise BundleError(f"{name} is a damaged or locked archive: {error}") from error


def _refuse_doubles(name: str, files: list[str]) -> None:
    """Refuse two members of one name, also by letter case: programs differ in which one they use."""
    seen: set[str] = set()
    for file in files:
        if file.casefold() in seen:
            raise BundleError(f"{name} holds {file!r} twice")
        seen.add(file.casefold())


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if stat.S_ISLNK(member.external_attr >> 16):
        raise BundleError(f"{member.filename} is a link; a bundle holds files only")
    with archive.open(member) as stream:
        data = stream.read(member.file_size + 1)
    if len(data) != member.file_size:
        raise BundleError(f"{member.filename} does not have the size that the archive states")
    return data


def _walk(folder: Path) -> Iterator[tuple[str, bytes]]:
    count = size = 0
    for path in sorted(folder.rglob("*")):
        if any(part in _IGNORED for part in path.relative_to(folder).parts):
            continue
        if path.is_symlink():
            raise BundleError(f"{path} is a link; a bundle holds files only")
        if path.is_file():
            count, size = count + 1, size + path.stat().st_size
            _bound(folder.name, count, size)
            yield path.relative_to(folder).as_posix(), read_regular(path, MOST_BYTES)


def _bound(name: str, files: int, size: int) -> None:
    if files > MOST_FILES or size > MOST_BYTES:
        raise BundleError(
            f"{name} holds {files:,} files of {readable_size(size)};"
            f" the limit is {MOST_FILES:,} files of {readable_size(MOST_BYTES)} in all"
        )


def _from_files(name: str, files: dict[str, bytes]) -> Bundle:
    root = _root(name, files)
    metadata = _metadata(name, files[root + METADATA])
    inside = root + DATA + "/"
    data = {path.removeprefix(inside): content for path, content in files.items() if path.startswith(inside)}
    for path in data:
        _refuse_path(path)
    return _whole(name, Bundle(metadata, data))


def _root(name: str, files: Mapping[str, bytes]) -> str:
    """Return the library's folder in an archive, which may also hold its content directly."""
    places = [path for path in files if PurePosixPath(path).name == METADATA]
    top = min(places, key=lambda path: path.count("/"), default=None)
    if top is None or top.count("/") > 2:
        raise BundleError(f"{name} holds no {METADATA}; a library is {METADATA} beside a folder {DATA}/")
    return top.removesuffix(METADATA)


def _metadata(name: str, data: bytes) -> Metadata:
    try:
        return read_metadata(data)
    except ReadError as error:
        raise BundleError(f"{name}: {METADATA}: {error}") from error


def _refuse_path(path: str) -> None:
    parts = path.split("/")
    plain = path.isprintable()  # no line break, and no character that reverses the direction of text
    if not plain or any(part in ("", ".", "..") or set(part) & set("\\:") for part in parts):
        raise BundleError(f"{path!r} is not a valid name for a file of a bundle; use plain names and /")


def _whole(name: str, bundle: Bundle) -> Bundle:
    tops = {path.split("/")[0] for path in bundle.files}
    for include in bundle.metadata.includes:
        if include not in tops:
            raise BundleError(f"{name} includes {include!r}, which is not in its {DATA}/")
    if not bundle.metadata.includes:
        raise BundleError(f"{name} includes nothing; name its modules by Include in {METADATA}")
    return bundle


def from_module(name: str, data: bytes, identity: str = "") -> Bundle:
    """Return the bundle of one module; `identity` names the library if the module does not."""
    stem = name.removesuffix(".py")
    _bound(name, 1, len(data))
    if not stem.isidentifier():
        raise BundleError(f"{name!r} is not a valid module name; use letters, digits and underscores")
    text = identity or _said_library(name, data)
    found = ids.parse(text)
    if found is None or found.namespace or not found.component:
        said = f"says it is library {text!r}, which is not a valid library name" if text else _SILENT
        raise NamelessError(name, said)
    metadata = Metadata(found.component, found.version, (name,), stem.replace("_", " "))
    return Bundle(metadata, {name: data})


def _said_library(name: str, data: bytes) -> str:
    """Return the value of LIBRARY, read without running any code."""
    try:
        tree = parsed(data, name)
    except (SyntaxError, ValueError) as error:
        raise BundleError(f"{name} is not valid Python: {error}") from error
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id == "LIBRARY" and isinstance(value, ast.Constant):
            return str(value.value)
    return ""

"""The `metadata.xml` of a library: its identity, and the files of `data/` with its declarations."""

from __future__ import annotations

from dataclasses import dataclass

from liven.runtime.reference import ids
from liven.runtime.reference.xml.element import Element
from liven.runtime.reference.xml.limits import Limits
from liven.runtime.reference.xml.parser import parse
from liven.runtime.reference.xml.printer import Printer, Tag
from liven.types.ids import ClassId

_LIMITS = Limits(size=256 << 10, depth=8, nodes=5_000)
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


@dataclass(frozen=True, slots=True)
class Metadata:
    """A library's description of itself."""

    namespace: int
    version: int
    includes: tuple[str, ...] = ()
    """Names of files or packages directly in `data/`, in the order they are loaded."""
    name: str = ""
    """Its name for people."""
    sha256: str = ""
    """The hash of the content at installation; empty before it."""


def read_metadata(data: bytes) -> Metadata:
    """Read the file; raise ReadError."""
    root = parse(data, _LIMITS)
    if root.tag != "Library":
        raise root.fault(f"the outermost element is {root.tag}; a library's metadata begins with Library")
    root.take({"Include"})
    identity = _identity(root)
    includes = tuple(_include(item) for item in root.many("Include"))
    return Metadata(
        identity.component,
        identity.version,
        includes,
        root.optional("name") or "",
        root.optional("sha256") or "",
    )


def write_metadata(metadata: Metadata) -> bytes:
    """Return the bytes of the file; equal metadata give equal bytes."""
    tag = Tag("Library", [("id", f"{metadata.namespace:032X}`{metadata.version}")])
    tag.attributes += [("name", metadata.name)] if metadata.name else []
    tag.attributes += [("sha256", metadata.sha256)] if metadata.sha256 else []
    tag.children += [Tag("Include", [("filename", name)]) for name in metadata.includes]
    return f"{_HEAD}{Printer(pretty=True).text(tag)}\n".encode()


def _identity(root: Element) -> ClassId:
    text = root.required("id")
    found = ids.parse(text)
    if found is None or found.namespace or not found.component:
        raise root.fault(f"id is {text!r}; a library's id is NAMESPACE`VERSION, in hexadecimal and decimal")
    return found


def _include(element: Element) -> str:
    element.take()
    name = element.required("filename")
    if not name or name in (".", "..") or set(name) & set("/\\:\0"):
        raise element.fault(f"filename is {name!r}; it names a file directly in data/, without any separator")
    return name

"""Writing XML: escaping, prefixes and layout. It knows nothing of references.

Equal tags give equal bytes. An element with text is written in one piece, every other one with a line for
each child.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from liven.runtime.reference.errors import WriteError
from liven.runtime.reference.xml.limits import LIMITS
from liven.runtime.reference.xml.names import TYPE, XSD, XSI
from liven.runtime.reference.xml.source_locations import Path, step

_START: Final = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = re.compile(f"[{_START}][{_START}.0-9\xb7\u0300-\u036f\u203f\u2040-]*")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_UNBINDABLE: Final = "http://www.w3.org/2000/xmlns/"


@dataclass(slots=True)
class Tag:
    """An element to be written: names are in `{namespace}local` form, attributes in their order."""

    name: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    children: list[Tag | str] = field(default_factory=list)
    comments: tuple[str, ...] = ()
    textual: bool = False
    """True if its content is text, even an empty one."""

    @property
    def inline(self) -> bool:
        """True if layout would change its meaning."""
        return self.textual or any(isinstance(child, str) for child in self.children)


class Printer:
    """Turns one tree of tags into text; `pretty` adds lines and indentation."""

    def __init__(self, *, pretty: bool) -> None:
        self._pretty = pretty
        self._prefixes = {XSI: "xsi", XSD: "xsd", "http://www.w3.org/XML/1998/namespace": "xml"}

    def text(self, root: Tag) -> str:
        """Return the text of `root`, with the namespaces it uses declared on it."""
        inside = "".join(self._inside(root, 0, (root.name,)))
        start = self._start(root, (root.name,))
        declared = "".join(
            f' xmlns:{prefix}="{uri.translate(_IN_ATTRIBUTE)}"'
            for uri, prefix in self._prefixes.items()
            if prefix != "xml"
        )
        return _element(root.name, start + declared, inside)

    def comment(self, text: str, path: Path = ()) -> str:
        """Return a comment; refuse text that would end it early."""
        if "--" in text or text.endswith("-") or "\r" in text:
            raise WriteError(
                f"the comment {text[:40]!r} holds '--' or a carriage return, or ends with '-'", path
            )
        return f"<!--{_check(text, path)}-->"

    def _inside(self, tag: Tag, depth: int, path: Path) -> Iterator[str]:
        if depth >= LIMITS.depth:
            raise WriteError(f"elements are nested more than {LIMITS.depth} deep", path)
        if not tag.children and not tag.comments:
            return
        laid_out = self._pretty and not tag.inline
        indent = "\n" + "  " * (depth + 1) if laid_out else ""
        for comment in tag.comments:
            yield indent + self.comment(comment, path)
        for child in tag.children:
            yield indent + self._child(child, depth + 1, path)
        if laid_out:
            yield "\n" + "  " * depth

    def _child(self, child: Tag | str, depth: int, path: Path) -> str:
        if isinstance(child, str):
            return _check(child, path).translate(_IN_TEXT)
        label = next((value for name, value in child.attributes if name in ("id", "name")), "")
        here = (*path, step(child.name, label))
        name = self._name(child.name, here, "n")
        return _element(name, self._start(child, here), "".join(self._inside(child, depth, here)))

    def _start(self, tag: Tag, path: Path) -> str:
        names = [self._name(name, path, "a") for name, _ in tag.attributes]
        if len(set(names)) < len(names):
            raise WriteError(f"an attribute of {tag.name} is given twice", path)
        declared = len(self._prefixes) - 1 if len(path) == 1 else 0  # all but `xml`, declared on the root
        if len(names) + declared > LIMITS.attributes:
            what = f"{len(names)} attributes" + (f" and {declared} namespaces" if declared else "")
            raise WriteError(f"{tag.name} has {what}; the limit is {LIMITS.attributes}", path)
        given = (self._typed(value, path) if name == TYPE else value for name, value in tag.attributes)
        values = [_check(value, path).translate(_IN_ATTRIBUTE) for value in given]
        return "".join(f' {name}="{value}"' for name, value in zip(names, values, strict=True))

    def _typed(self, value: str, path: Path) -> str:
        """Return a type's name, under a prefix if it is in `{namespace}local` form."""
        uri, brace, local = value.removeprefix("{").rpartition("}")
        writable = value[:1] == "{" and brace and uri not in ("", _UNBINDABLE) and _NAME.fullmatch(local)
        return self._name(value, path, "t") if writable else value

    def _name(self, name: str, path: Path, prefix: str) -> str:
        uri, _, local = name.removeprefix("{").rpartition("}")
        if _NAME.fullmatch(local) is None or uri == _UNBINDABLE:
            raise WriteError(f"{name!r} is not a name that XML can write", path)
        if not uri:
            return local
        _check(uri, path)
        known = self._prefixes.setdefault(uri, f"{prefix}{len(self._prefixes)}")
        return f"{known}:{local}"


def _element(name: str, start: str, inside: str) -> str:
    return f"<{name}{start}>{inside}</{name}>" if inside else f"<{name}{start}/>"


def _check(text: str, path: Path) -> str:
    found = _FORBIDDEN.search(text)
    if found is not None:
        raise WriteError(f"the character U+{ord(found[0]):04X} cannot stand in XML", path)
    return text

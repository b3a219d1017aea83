"""An element being read: it returns attributes and children, and refuses those that are not allowed.

Each kind of element says which children it may have; comments and unknown attributes go to the margin.
"""

from __future__ import annotations

from collections.abc import Collection

from lxml import etree

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import BLANK, Margin
from liven.runtime.reference.xml import source_locations
from liven.runtime.reference.xml.limits import Limits
from liven.runtime.reference.xml.names import NIL, TYPE, XSD

NOTHING: frozenset[str] = frozenset()


class Text:
    """The text being read, so that a fault can be located in it."""

    __slots__ = ("data", "limits", "root")

    def __init__(self, data: bytes, root: etree._Element, limits: Limits) -> None:
        self.data = data
        self.root = root
        self.limits = limits

    def fault(self, element: etree._Element, reason: str) -> ReadError:
        """Return the error that says `reason` of `element`."""
        number = next(i for i, other in enumerate(self.root.iter("*")) if other is element)
        place = source_locations.of_element(self.data, number)
        return ReadError(reason, place.line, place.column, place.path)


class Element:
    """One element, with its children by tag once `take` has sorted them."""

    __slots__ = ("_children", "_comments", "_known", "depth", "element", "text")

    def __init__(self, element: etree._Element, text: Text, depth: int) -> None:
        self.element = element
        self.text = text
        self.depth = depth
        self._children: dict[str, list[Element]] = {}
        self._comments: list[str] = []
        self._known: set[str] = set()
        if depth > text.limits.depth:
            raise self.fault(f"elements are nested more than {text.limits.depth} deep")

    def fault(self, reason: str) -> ReadError:
        """Return the error that says `reason` of this element."""
        return self.text.fault(self.element, reason)

    @property
    def tag(self) -> str:
        """The element's name, with its namespace in braces if it has one."""
        return str(self.element.tag)

    def optional(self, name: str) -> str | None:
        """Return an attribute that may be left out."""
        self._known.add(name)
        value: str | None = self.element.get(name)
        most = self.text.limits.most_letters(name)
        if value is not None and len(value) > most:
            raise self.fault(f"{name} has {len(value):,} letters; the limit is {most:,}")
        return value

    def required(self, name: str) -> str:
        """Return an attribute that must be there."""
        value = self.optional(name)
        if value is None:
            raise self.fault(f"{self.tag} must have the attribute {name!r}")
        return value

    def nil(self) -> bool:
        """Return the value of `xsi:nil`."""
        value = self.optional(NIL)
        if value not in (None, "true", "false"):
            raise self.fault(f"xsi:nil is {value!r}; it must be 'true' or 'false'")
        return value == "true"

    def type(self) -> str:
        """Return the type that `xsi:type` names, in `{namespace}local` form; its prefix must be declared."""
        name = self.required(TYPE).strip()
        prefix, colon, local = name.rpartition(":")
        if not colon:
            return local
        namespace = self.element.nsmap.get(prefix)
        if namespace is None:
            raise self.fault(f"the prefix {prefix!r} of xsi:type={name!r} is not declared")
        return f"{{{namespace}}}{local}"

    def qualified(self, value: str) -> str:
        """Return `xsi:type` of an element that only its reader understands: `{namespace}local`,
        as no prefix is kept.

        Types of XML Schema stay under the prefix that is always written. An undeclared prefix means nothing,
        and is kept.
        """
        prefix, _, local = value.strip().rpartition(":")
        namespace = self.element.nsmap.get(prefix or None)
        if namespace is None or not local:
            return value
        return f"xsd:{local}" if namespace == XSD else f"{{{namespace}}}{local}"

    def take(self, allowed: Collection[str] = NOTHING, *, text: bool = False) -> None:
        """Sort the children by tag; refuse one that is not `allowed`, and text unless it is wanted."""
        if not text:
            self._refuse_text(self.element.text)
        for child in self.element:
            if not text:
                self._refuse_text(child.tail)
            tag = child.tag
            if isinstance(tag, str):
                if tag not in allowed:
                    raise self._unexpected(child, allowed)
                self._children.setdefault(tag, []).append(Element(child, self.text, self.depth + 1))
            elif tag is etree.Comment:
                self._comments.append(child.text or "")

    def many(self, tag: str) -> list[Element]:
        """Return the children with that tag."""
        return self._children.get(tag, [])

    def one(self, tag: str) -> Element | None:
        """Return the only child with that tag, if there is one."""
        found = self._children.get(tag)
        if not found:
            return None
        if len(found) > 1:
            raise found[1].fault(f"{self.tag} holds a second {tag}; it may have one")
        return found[0]

    def content(self) -> str:
        """Return all text directly inside, without comments."""
        pieces = [self.element.text or "", *(child.tail or "" for child in self.element)]
        return "".join(pieces)

    def margin(self) -> Margin:
        """Return the comments, and the attributes that were not asked for."""
        unknown = [(str(k), str(v)) for k, v in self.element.attrib.items() if k not in self._known]
        unknown = [(k, self.qualified(v) if k == TYPE else v) for k, v in unknown]
        if not unknown and not self._comments:
            return BLANK
        return Margin(tuple(self._comments), tuple(sorted(unknown)))

    def _refuse_text(self, text: str | None) -> None:
        if text and not text.isspace():
            shown = text.strip()[:40]
            raise self.fault(f"{self.tag} holds the text {shown!r}; only elements are allowed here")

    def _unexpected(self, child: etree._Element, allowed: Collection[str]) -> ReadError:
        may = f"only {', '.join(sorted(allowed))} may" if allowed else "no element may"
        return self.text.fault(child, f"{child.tag} stands inside {self.tag}, where {may}")

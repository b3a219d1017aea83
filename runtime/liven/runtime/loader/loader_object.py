"""The original's loader as an object: given the text of a reference, it answers the reference.

Objects of the original are given one, to take in what is dropped on them. Ours read references
themselves; it is here for the files, and for objects that have a text and want to know what it is.
"""

from __future__ import annotations

from typing import Protocol

from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import compact, read_object
from liven.types.declare import Exports, Ref, interface, proxy


@interface
class ReadsReferences(Protocol):
    """What one can ask of a loader."""

    def load(self, xmlspecification: str) -> Ref[AnyObject]:
        """The reference that the text holds; the call fails if it holds none."""


@proxy(id="991815B1E97F4BEF811476F01270FDA8", alias="liven:loader")
class ReferenceLoader:
    """Reads references. `library` is what the original needed to find classes; nothing is asked of it."""

    Endpoint: Exports[ReadsReferences]

    def __init__(self, library: Ref[AnyObject] | None = None) -> None:
        self.library = library

    def load(self, xmlspecification: str) -> Ref[AnyObject]:
        """The reference, in its compact form."""
        try:
            return Ref(compact(read_object(xmlspecification)))
        except ReadError as error:
            raise CallFailedError(f"this is no reference: {error}") from error

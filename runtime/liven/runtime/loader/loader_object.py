"""The original program's loader as an object: for the text of a reference it returns the reference.

Objects of the original use it to read what is dropped on them. Our objects read references themselves; this
object is for old files, and for objects that want to know the type of a text.
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
    """The operations of a loader object."""

    def load(self, xmlspecification: str) -> Ref[AnyObject]:
        """Return the reference in the text; the call fails if there is none."""


@proxy(id="991815B1E97F4BEF811476F01270FDA8", alias="liven:loader")
class ReferenceLoader:
    """Reads references. `library` is what the original needed to find classes; it is not used."""

    Endpoint: Exports[ReadsReferences]

    def __init__(self, library: Ref[AnyObject] | None = None) -> None:
        self.library = library

    def load(self, xmlspecification: str) -> Ref[AnyObject]:
        """Return the reference, in its compact form."""
        try:
            return Ref(compact(read_object(xmlspecification)))
        except ReadError as error:
            raise CallFailedError(f"this is not a reference: {error}") from error

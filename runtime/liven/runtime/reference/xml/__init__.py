"""The XML of references and of library metadata: the only place that reads or writes XML.

read(bytes) -> Document          write(document) -> bytes       for files
read_object(text) -> Object      compact(object) -> text        for references inside values
"""

from liven.runtime.reference.errors import ReadError, WriteError
from liven.runtime.reference.xml.limits import LIMITS, Limits
from liven.runtime.reference.xml.reader import read, read_object
from liven.runtime.reference.xml.writer import compact, write

__all__ = ["LIMITS", "Limits", "ReadError", "WriteError", "compact", "read", "read_object", "write"]

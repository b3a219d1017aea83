"""Declarations of object types, interfaces, value classes and proxies as ordinary typed Python classes.

A decorator reads a class, attaches a declaration and changes nothing else; `scan` finds the declarations
of a module. Annotations are read in `annotation`, and `term_builder` makes terms from declarations. Start
with `value`, `interface` and `object_type`.
"""

from liven.types.declare.annotation.markers import (
    Bits,
    Dual,
    EndpointRef,
    ExportedUI,
    ExportedUI_X,
    Exports,
    Float32,
    ImportedUI,
    ImportedUI_X,
    Imports,
    Int8,
    Int16,
    Int32,
    Int64,
    Range,
    Ref,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    provides,
    requires,
)
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.errors import DeclarationError
from liven.types.declare.interface import interface
from liven.types.declare.module_scan import Declarations, scan
from liven.types.declare.object_type import object_type
from liven.types.declare.proxy import proxy
from liven.types.declare.term_builder import TermBuilder
from liven.types.declare.value import value

__all__ = [
    "Bits",
    "DeclarationError",
    "Declarations",
    "Dual",
    "EndpointRef",
    "ExportedUI",
    "ExportedUI_X",
    "Exports",
    "Float32",
    "ImportedUI",
    "ImportedUI_X",
    "Imports",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "Range",
    "Ref",
    "TermBuilder",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "declaration_of",
    "interface",
    "object_type",
    "provides",
    "proxy",
    "requires",
    "scan",
    "value",
]

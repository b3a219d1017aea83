"""Writes the C source of `liven.multicast._core`: cffi in API mode over the public headers."""

import sys
from pathlib import Path

from cffi import FFI

CDEF = Path(__file__).with_name("core.cdef.h")

ffi = FFI()
ffi.cdef(CDEF.read_text(encoding="utf-8"))
# The declarations are included again after the public header: one that has drifted is then a
# "conflicting types" error of the C compiler instead of a wrong call at run time.
HEADERS = ("mcast/mcast.h", "mcast/system_memory.h", CDEF.name)
ffi.set_source("liven.multicast._core", "".join(f'#include "{header}"\n' for header in HEADERS))
ffi.emit_c_code(sys.argv[1])

"""Writes the C source of `liven.multicast._core`: cffi in API mode over the public headers."""

import sys
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).parent
CDEFS = ("core.cdef.h", "sim.cdef.h", "udp.cdef.h")
HEADERS = ("mcast/mcast.h", "base/range_set.h", "simulator/world/binding_face.h", "engine/binding_face.h")

ffi = FFI()
for cdef in CDEFS:
    ffi.cdef((HERE / cdef).read_text(encoding="utf-8"))
# The declarations are included again after the headers: one that has drifted is then a "conflicting
# types" error of the C compiler instead of a wrong call at run time.
ffi.set_source("liven.multicast._core", "".join(f'#include "{name}"\n' for name in (*HEADERS, *CDEFS)))
ffi.emit_c_code(sys.argv[1])

# The compiled core as cffi presents it. `Any` is allowed in this file alone.
from typing import Any

class _Lib:
    def __getattr__(self, name: str) -> Any: ...

class _FFI:
    NULL: Any
    def gc(self, cdata: Any, destructor: Any, size: int = 0) -> Any: ...
    def string(self, cdata: Any) -> bytes: ...

lib: _Lib
ffi: _FFI

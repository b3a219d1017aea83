"""Loading a module of the user's own from its file, without installing it: for trying things out."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.os_error_text import reason_unreadable
from liven.types.catalogue import ConflictError, Entry, register
from liven.types.declare import DeclarationError, scan
from liven.types.uncached_import import fresh_spec


class LocalModuleError(ObjectRuntimeError):
    """A module that cannot be loaded; the text says why."""

    def __init__(self, path: Path, why: str, detail: str = "") -> None:
        super().__init__(f"{path}: {why}")
        self.detail = detail


def load_module(path: Path, known: TypeKnowledge) -> tuple[Entry, ...]:
    """Run the module and add its declarations to `known`; an error changes nothing."""
    if why := reason_unreadable(path):
        raise LocalModuleError(path, why.removeprefix(f"{path}: "))
    spec = fresh_spec(_free_name(path.stem), path)
    if spec is None or spec.loader is None:
        raise LocalModuleError(path, "it is not a Python module; name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and annotations look their module up there
    try:
        spec.loader.exec_module(module)
        return register(known.catalogue, scan(module), known.matcher)
    except (DeclarationError, ConflictError) as error:
        del sys.modules[spec.name]
        raise LocalModuleError(path, str(error)) from None
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        detail = _way_to(error)
        raise LocalModuleError(path, f"running it raised {type(error).__name__}: {error}", detail) from None


def _way_to(error: BaseException) -> str:
    """Return the traceback in the author's code, without our own frames."""
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in ("liven", "importlib")
    ]
    return "".join(traceback.StackSummary.extract(iter(frames)).format())


def _free_name(stem: str) -> str:
    name = f"liven_own_{stem}"
    while name in sys.modules:
        name += "_"
    return name

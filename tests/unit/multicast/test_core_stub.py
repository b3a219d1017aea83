"""The stub of the compiled core has the same functions, each with the same count of parameters."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

_STUB = Path("multicast/liven/multicast/_core.pyi")


def stubbed(root: Path) -> dict[str, tuple[int, bool]]:
    """Return the count of parameters of each function in the stub, and True if it returns something."""
    (lib,) = (
        node
        for node in ast.parse((root / _STUB).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == "_Lib"
    )
    functions = [node for node in lib.body if isinstance(node, ast.FunctionDef)]
    return {
        each.name: (
            len(each.args.posonlyargs or each.args.args) - 1,
            not (isinstance(each.returns, ast.Constant) and each.returns.value is None),
        )
        for each in functions
    }


def compiled() -> dict[str, tuple[int, bool]]:
    core = importlib.import_module("liven.multicast._core")
    types = {name: core.ffi.typeof(getattr(core.lib, name)) for name in dir(core.lib)}
    return {name: (len(kind.args), kind.result.kind != "void") for name, kind in types.items()}


def test_the_stub_matches_the_compiled_core(root: Path) -> None:
    assert stubbed(root) == compiled()

"""Count the sentences that a reader has to read twice, and fail when there are more than before.

Two kinds count: docstrings, of attributes too, that begin with "What", "Whether" or "How" instead of a
verb or a noun, and sentences in messages and documents that use one of the phrases of `STALE`. `--list`
names each place.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from budgets import ROOT, tracked

MOST = 0
"""The largest count that passes. Lower it whenever the count has fallen; never raise it."""

QUESTIONS = ("What", "Whether", "How")
STALE = re.compile(r"\b(shall|lays down|is told)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n\s*\n")
C_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
OWN_FILES = ("tools/english.py", "tests/unit/tools/test_english.py")  # they have to quote the phrases


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence to rewrite."""

    path: str
    line: int
    words: str


def python_faults(path: str, source: str) -> Iterator[Fault]:
    """Yield the docstrings that begin with a question word and the string literals with a stale phrase."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            if _is_question(text):
                yield Fault(path, node.body[0].lineno, text.partition("\n")[0])
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from _attribute_faults(path, node.body)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _stale(path, node.lineno, node.value)


def _attribute_faults(path: str, body: list[ast.stmt]) -> Iterator[Fault]:
    """Yield the strings behind assignments, which say what an attribute is."""
    for before, node in pairwise(body):
        if isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(node, ast.Expr):
            text = str(node.value.value) if isinstance(node.value, ast.Constant) else ""
            if _is_question(text):
                yield Fault(path, node.lineno, text.partition("\n")[0])


def _is_question(text: str) -> bool:
    return text.startswith(QUESTIONS) and text.split(maxsplit=1)[0].rstrip(",.:;") in QUESTIONS


def text_faults(path: str, text: str) -> Iterator[Fault]:
    """Yield the sentences of a document that use a stale phrase."""
    yield from _stale(path, 1, text)


def c_faults(path: str, source: str) -> Iterator[Fault]:
    """Yield the string literals of a C file that use a stale phrase."""
    for literal in C_STRING.finditer(source):
        yield from _stale(path, 1 + source.count("\n", 0, literal.start()), literal.group())


def _stale(path: str, line: int, text: str) -> Iterator[Fault]:
    if not STALE.search(text):  # almost always: spares the splitting
        return
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        sentence = text[start:end]
        found = STALE.search(sentence)
        if found:
            yield Fault(path, line + text.count("\n", 0, start + found.start()), " ".join(sentence.split()))
        start = end


READERS = {".py": python_faults, ".md": text_faults, ".c": c_faults, ".h": c_faults}


def faults(root: Path, files: list[Path]) -> list[Fault]:
    """Return every fault in `files`, in their order."""
    found: list[Fault] = []
    for file in files:
        path = file.relative_to(root).as_posix()
        if path not in OWN_FILES:
            found += READERS[file.suffix](path, file.read_text(encoding="utf-8"))
    return found


def verdict(count: int, most: int) -> tuple[str, int]:
    """Return the line to print and the exit code for `count` faults where `most` pass."""
    if count > most:
        return f"english: {count} stale sentences, {most} allowed; rewrite the new ones (--list)", 1
    if count < most:
        return f"english: {count} stale sentences, {most} allowed; lower MOST in tools/english.py", 0
    return f"english: {count} stale sentences, as many as allowed", 0


def main() -> int:
    """Print the count; with `--list`, each place first."""
    found = faults(ROOT, tracked("*.py", "*.md", "*.c", "*.h"))
    if "--list" in sys.argv[1:]:
        print("\n".join(f"{fault.path}:{fault.line}: {fault.words}" for fault in found))
    line, code = verdict(len(found), MOST)
    print(line)
    return code


if __name__ == "__main__":
    sys.exit(main())

"""Count the sentences that a reader has to read twice, and fail when there are more than before.

Two kinds count: statements that begin with "What", "Whether" or "How" instead of a verb or a noun, in
docstrings, comments and documents, and sentences in messages and documents that use one of the phrases of
`STALE`. `--list` names each place.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.checks.budgets import ROOT, tracked

MOST = 0
"""The largest count that passes. Lower it whenever the count has fallen; never raise it."""

QUESTION = re.compile(r"(What|Whether|How)\b")
STALE = re.compile(r"\b(shall|lays down|is told)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n\s*\n")
COMMENT = re.compile(r"#.*\b(?:What|Whether|How)\b")  # spares the splitting of nearly all files
STATEMENT_END = re.compile(r"(?<=[.!?])\s+")
PARAGRAPH = re.compile(r"\n\s*\n")
C_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
C_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
OWN_FILES = (
    "tools/checks/english.py",
    "tests/unit/tools/checks/test_english.py",
)  # they have to quote the phrases


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence to rewrite."""

    path: str
    line: int
    words: str


def python_faults(path: str, source: str) -> Iterator[Fault]:
    """Yield the docstrings and comments that begin like a question, and the strings with a stale phrase."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from _questions(path, node.lineno, str(node.value.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _stale(path, node.lineno, node.value)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline) if COMMENT.search(source) else ()
    for token in tokens:
        if token.type == tokenize.COMMENT:
            yield from _questions(path, token.start[0], token.string.lstrip("#: "))


def text_faults(path: str, text: str) -> Iterator[Fault]:
    """Yield the sentences of a document that begin like a question or use a stale phrase."""
    yield from _stale(path, 1, text)
    start = 0
    for end in [*(match.end() for match in PARAGRAPH.finditer(text)), len(text)]:
        if not text[start:end].startswith(("|", "#")):  # tables and headings may ask
            yield from _questions(path, 1 + text.count("\n", 0, start), text[start:end])
        start = end


def c_faults(path: str, source: str) -> Iterator[Fault]:
    """Yield the comments of a C file that begin like a question, and the strings with a stale phrase."""
    for literal in C_STRING.finditer(source):
        yield from _stale(path, 1 + source.count("\n", 0, literal.start()), literal.group())
    for comment in C_COMMENT.finditer(source):
        words = re.sub(r"\n\s*\*", " ", comment.group(1))
        yield from _questions(path, 1 + source.count("\n", 0, comment.start()), words)


def _questions(path: str, line: int, text: str) -> Iterator[Fault]:
    """Yield the sentences that begin like a question but end with a period."""
    if not QUESTION.search(text):
        return
    for sentence in STATEMENT_END.split(" ".join(text.split())):
        if QUESTION.match(sentence) and not sentence.endswith("?"):
            yield Fault(path, line, sentence)


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
        return f"english: {count} stale sentences, {most} allowed; lower MOST in tools/checks/english.py", 0
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

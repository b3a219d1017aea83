"""The table of rules in the README of the multicast room, held against the tree."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MULTICAST = ROOT / "multicast"
CORE = MULTICAST / "core"
ROWS = [
    [cell.strip() for cell in line.split("|")[1:4]]
    for line in (MULTICAST / "README.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [12]\b", line)
]


def paths_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def exists(path: str, *roots: Path) -> bool:
    return any(any(root.glob(path)) for root in roots)


def rule_number(cell: str) -> tuple[int, ...]:
    return tuple(int(part) for part in cell.split()[0].rstrip(",").split("."))


def test_every_path_of_the_table_exists() -> None:
    missing = [
        path
        for _, files, tests in ROWS
        for cell, folder in ((files, CORE), (tests, ROOT / "tests" / "core"))
        for path in paths_in(cell)
        if not exists(path, folder, MULTICAST, ROOT)
    ]
    assert missing == []


def test_every_file_of_the_protocol_is_in_the_table() -> None:
    listed = {file for _, files, _ in ROWS for path in paths_in(files) for file in CORE.glob(path)}
    protocol = {file for file in CORE.rglob("*.c") if file.relative_to(CORE).parts[0] != "base"}
    assert sorted(str(file.relative_to(CORE)) for file in protocol - listed) == []


def test_the_table_is_sorted_by_rule() -> None:
    numbers = [rule_number(rule) for rule, _, _ in ROWS]
    assert len(numbers) > 50
    assert numbers == sorted(numbers)

"""The guard that keeps system calls out of the core."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def purity(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("tools/checks/core_purity.py")


def test_the_core_makes_no_system_call(purity: ModuleType) -> None:
    assert list(purity.faults(purity.CORE)) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("#include <time.h>", "the core may not include <time.h>"),
        ("#  include <sys/socket.h>", "the core may not include <sys/socket.h>"),
        ("    return rand() % 2;", "the core may not call rand"),
        ("    time (NULL);", "the core may not call time"),
    ],
)
def test_calls_that_reach_the_system_are_named(
    purity: ModuleType, line: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "leaf.c").write_text(f"#include <string.h>\n{line}\n")
    assert list(purity.faults(tmp_path)) == [f"leaf.c:2: {fault}"]


def test_words_in_comments_do_not_count(purity: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "leaf.h").write_text("/* the time (of the driver)\n * and rand() */\nint run_time(void);\n")
    assert list(purity.faults(tmp_path)) == []

"""The pages name no file and no picture that is not there."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_PAGES = sorted(
    page
    for page in _ROOT.rglob("*.md")
    if not {".venv", "build", "dist"} & set(page.relative_to(_ROOT).parts)
)
_FILE = re.compile(r"`((?:[\w.-]+/|…/)*[\w-]+\.(?:py|c|h))`")
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_EXAMPLES = {"lamp.py", "test_lamp.py", "clock.py", "weather.py", "setup.py", "types/values.py"}
"""Files that a page tells you to write, or that another build system would have."""


@cache
def tracked() -> tuple[str, ...]:
    """Return every file of the project, with a slash in front."""
    listed = subprocess.run(["git", "ls-files"], cwd=_ROOT, capture_output=True, text=True, check=True)
    return tuple(f"/{name}" for name in listed.stdout.splitlines())


def is_there(name: str) -> bool:
    """Return True if a file's path ends with `name`, in which `…` stands for any folders."""
    pattern = re.compile("(^|.*)/" + re.escape(name).replace("…/", "(?:.*/)?") + "$")
    return any(pattern.match(file) for file in tracked())


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def faults(text: str, page: Path) -> Iterator[str]:
    """Yield the files, the targets of links and the headings in the text of `page` that do not exist."""
    yield from (name for name in _FILE.findall(text) if name not in _EXAMPLES and not is_there(name))
    for link, anchor in _LINK.findall(text):
        target = page.parent / link if link else page
        if not target.exists():
            yield link
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{link}#{anchor}"


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert list(faults(page.read_text(encoding="utf-8"), page)) == []


def test_a_page_that_names_a_missing_file_is_found() -> None:
    text = "See `types/…/ids.py`, `core/no_such.c`, [this](nowhere.png), [that](README.md#no-such-part)."
    faulty = ["core/no_such.c", "nowhere.png", "README.md#no-such-part"]
    assert list(faults(text, _ROOT / "README.md")) == faulty

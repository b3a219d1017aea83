"""The question about files and other computers says which of the two it is about."""

from __future__ import annotations

import pytest

from liven.app.trust.question_row import path_row
from liven.runtime.capability import Capability, CapabilityKind, ConsentQuestion
from liven.runtime.capability.capability import uses_host

FILE = (Capability(CapabilityKind.READ_FILE, "/home/ann/diary"),)
HOST = uses_host("example.org", 443)


@pytest.mark.parametrize(
    ("asked", "title", "told"),
    [
        (FILE, "Allow files and folders?", "nothing is read or written"),
        (HOST, "Allow a connection?", "nothing is sent"),
        (FILE + HOST, "Allow files and a connection?", "nothing is read, written or sent"),
    ],
)
def test_the_question_is_about_files_computers_or_both(
    asked: tuple[Capability, ...], title: str, told: str
) -> None:
    row = path_row(ConsentQuestion("recipe", "desk/feed", asked))
    assert row.title == title
    assert told in row.warning
    [(_, wanted)] = row.facts
    assert wanted.replace("\u200b", "").splitlines() == [str(one) for one in asked]

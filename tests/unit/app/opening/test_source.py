"""The reasons why files and links cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.opening.link_url import link_to
from liven.app.opening.source import LARGEST_FILE, UnopenableError, read_bytes, reason_unopenable, recipe_in
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write

_GOOD = write(Reference("liven:text"))


def test_a_recipe_in_a_file_or_link_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a b.liveobject"
    path.write_bytes(_GOOD)
    assert reason_unopenable(str(path)) == ""
    assert reason_unopenable(f"liven://{tmp_path}/a%20b.liveobject") == ""
    assert reason_unopenable(link_to(_GOOD)) == ""
    assert recipe_in(read_bytes(path)) == Reference("liven:text")


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"<Root/>", "this file holds no object: its recipe is empty"), (b"", "this file holds no object")],
    ids=["empty recipe", "empty file"],
)
def test_a_file_or_link_without_an_object_is_refused_with_the_reason(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "x.liveobject"
    path.write_bytes(data)
    assert reason_unopenable(str(path)).startswith(f"{path}: {said}")
    assert reason_unopenable(link_to(data)).startswith(f"{link_to(data)[:60]}: {said}")
    with pytest.raises(UnopenableError, match=said):
        recipe_in(data)


def test_an_unreadable_file_or_link_is_refused_with_the_reason(tmp_path: Path) -> None:
    assert (
        reason_unopenable(str(tmp_path / "no"))
        == f"{tmp_path / 'no'} cannot be read: No such file or directory"
    )
    assert reason_unopenable("liven:nonsense").startswith("liven:nonsense is not a link to an object: ")


def test_a_far_too_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    with pytest.raises(UnopenableError, match="4,194,305 bytes; the limit is 4,194,304 bytes"):
        read_bytes(path)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liven.app.cp.messages import Offered
from liven.app.cp.partial_file import PartialFile, digest_of

CONTENT = bytes(range(256)) * 8


@pytest.fixture
def offered(tmp_path: Path) -> Offered:
    source = tmp_path / "source"
    source.write_bytes(CONTENT)
    return Offered("file.bin", len(CONTENT), digest_of(source))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "into"
    made.mkdir()
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_gets_its_name_when_it_is_complete(folder: Path, offered: Offered) -> None:
    file = PartialFile(folder, offered, replace=False)
    file.write(1000, CONTENT[1000:])
    assert not file.done
    assert names(folder) == [".file.bin.part"]
    file.write(0, CONTENT[:1000])
    assert file.done
    assert names(folder) == ["file.bin"]
    assert (folder / "file.bin").read_bytes() == CONTENT


def test_a_full_disk_is_reported_and_leaves_no_partial_note(
    folder: Path, offered: Offered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    file = PartialFile(folder, offered, replace=False)
    monkeypatch.setattr("liven.app.cp.partial_file.os.pwrite", full)
    monkeypatch.setattr(Path, "write_text", full)
    file.write(0, CONTENT)
    assert (
        file.problem
        == f"{folder / '.file.bin.part'}: No space left on device; free some space on that disk and try again"
    )
    assert names(folder) == [".file.bin.part"]


def test_an_empty_file_is_complete_at_once(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").touch()
    file = PartialFile(folder, Offered("empty", 0, digest_of(tmp_path / "nothing")), replace=False)
    assert file.done
    assert names(folder) == ["empty"]


def test_an_interrupted_transfer_resumes(folder: Path, offered: Offered) -> None:
    first = PartialFile(folder, offered, replace=False)
    first.write(0, CONTENT[:500])
    first.write(700, CONTENT[700:900])
    first.close()
    second = PartialFile(folder, offered, replace=False)
    assert second.resumed == 700
    assert second.missing().ranges() == [(500, 700), (900, len(CONTENT))]
    second.write(500, CONTENT[500:700])
    second.write(900, CONTENT[900:])
    assert second.done
    assert (folder / "file.bin").read_bytes() == CONTENT


def test_another_file_with_the_same_name_starts_afresh(folder: Path, offered: Offered) -> None:
    first = PartialFile(folder, offered, replace=False)
    first.write(0, CONTENT[:500])
    first.close()
    other = PartialFile(folder, Offered("file.bin", offered.size, b"x" * 32), replace=False)
    assert other.resumed == 0
    assert other.missing().size() == offered.size


@pytest.mark.parametrize("notes", ["", "{", "[]", '{"digest": 3}', '{"digest": "zz", "missing": []}'])
def test_an_invalid_note_is_ignored(folder: Path, offered: Offered, notes: str) -> None:
    (folder / ".file.bin.part").write_bytes(CONTENT)
    (folder / ".file.bin.part.json").write_text(notes, encoding="utf-8")
    assert PartialFile(folder, offered, replace=False).missing().size() == len(CONTENT)


def test_parts_with_a_wrong_digest_are_requested_again(folder: Path, offered: Offered) -> None:
    (folder / ".file.bin.part").write_bytes(b"x" * len(CONTENT))
    notes = {"digest": offered.digest.hex(), "missing": [[0, 10]]}
    (folder / ".file.bin.part.json").write_text(json.dumps(notes), encoding="utf-8")
    file = PartialFile(folder, offered, replace=False)
    file.write(0, CONTENT[:10])
    assert not file.done
    assert file.missing().size() == len(CONTENT)
    file.write(0, CONTENT)
    assert file.done


def test_an_existing_identical_file_is_complete(folder: Path, offered: Offered) -> None:
    (folder / "file.bin").write_bytes(CONTENT)
    file = PartialFile(folder, offered, replace=False)
    assert file.done
    assert not file.missing()


def test_an_existing_different_file_is_overwritten_only_on_request(folder: Path, offered: Offered) -> None:
    (folder / "file.bin").write_bytes(b"mine")
    kept = PartialFile(folder, offered, replace=False)
    assert "--replace" in kept.problem
    assert not kept.missing()
    kept.write(0, CONTENT)
    assert (folder / "file.bin").read_bytes() == b"mine"
    replaced = PartialFile(folder, offered, replace=True)
    replaced.write(0, CONTENT)
    assert (folder / "file.bin").read_bytes() == CONTENT


def test_a_part_beyond_the_end_is_ignored(folder: Path, offered: Offered) -> None:
    file = PartialFile(folder, offered, replace=False)
    file.write(offered.size - 1, b"xx")
    assert file.missing().size() == offered.size
    file.close()


def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path, offered: Offered) -> None:
    file = PartialFile(tmp_path / "nowhere", offered, replace=False)
    assert "nowhere" in file.problem
    assert not file.missing()

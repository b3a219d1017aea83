"""Regular files are read within a bound; files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from liven.runtime import files
from liven.runtime.files import (
    create_file,
    document_mode,
    keep_files_private,
    open_regular,
    read_json,
    read_regular,
    read_start,
    readable_size,
    refuse_system_file,
    resolved,
    rewrite_file,
    size_and_limit,
    user_path,
    users_umask,
    write_file,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "place" / "note"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def test_rewriting_replaces_the_content_and_leaves_no_other_file(file: Path) -> None:
    rewrite_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_rewriting_keeps_the_permissions(file: Path, mode: int) -> None:
    file.chmod(mode)
    rewrite_file(file, b"new")
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_program_with_the_file_open_still_reads_the_old_content(file: Path) -> None:
    with file.open("rb") as stream:
        rewrite_file(file, b"new and longer")
        assert stream.read() == b"old"


def test_rewriting_through_a_link_keeps_the_link(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file.name)
    rewrite_file(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "fchmod", "replace"])
def test_if_a_step_fails_the_old_file_is_whole_and_no_other_is_left(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path if step == "replace" else os, step, full)
    with pytest.raises(OSError, match="No space"):
        rewrite_file(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert list(file.parent.iterdir()) == [file]


def test_rewriting_does_not_create_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        rewrite_file(tmp_path / "nothing", b"new")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    path, other = tmp_path / "x", tmp_path / "other"
    write_file(path, b"words")
    other.write_bytes(b"")
    assert path.read_bytes() == b"words"
    assert path.stat().st_mode == other.stat().st_mode
    write_file(path, b"secret", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600


def test_writing_keeps_the_permissions_of_a_file_and_the_links_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "x", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to("x")
    write_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_writing_may_replace_a_link_instead_of_following_it(tmp_path: Path) -> None:
    path, link = tmp_path / "x", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to("x")
    write_file(link, b"new", follow_links=False)
    assert not link.is_symlink()
    assert (path.read_bytes(), link.read_bytes()) == (b"old", b"new")


def test_a_file_may_be_written_in_pieces(tmp_path: Path) -> None:
    write_file(tmp_path / "x", iter((b"one ", b"two")))
    assert (tmp_path / "x").read_bytes() == b"one two"


def test_a_disk_that_is_full_at_the_last_moment_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    path = tmp_path / "x"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["x"]


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_file(path, b"words")
    assert path.read_bytes() == b"words"


@pytest.mark.parametrize("links", [True, False])
def test_creating_never_replaces_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, os.strerror(1))

    if not links:  # as on a file system that cannot give a file a second name
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "x"
    create_file(path, b"first", 0o600)
    with pytest.raises(FileExistsError):
        create_file(path, b"second")
    assert path.read_bytes() == b"first"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_regular_file_is_read_through_links_to_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", 5) == b"words"
    with pytest.raises(OSError, match="symbolic links"):
        read_start(tmp_path / "link", 5, follow_links=False)


def test_a_file_over_the_limit_is_refused_or_read_up_to_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    with pytest.raises(OSError, match="5 bytes; the limit is 4 bytes"):
        read_regular(tmp_path / "file", 4)
    assert read_start(tmp_path / "file", 4) == b"word"


def test_a_file_that_gives_no_size_is_read_up_to_the_limit() -> None:
    status = Path("/proc/self/status")
    assert b"Pid" in read_regular(status, 1 << 20)
    with pytest.raises(OSError, match="11 bytes; the limit is 10 bytes"):
        read_regular(status, 10)


@pytest.mark.parametrize("kind", ["pipe", "device", "socket", "folder"])
def test_only_regular_files_are_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    path = Path("/dev/zero") if kind == "device" else tmp_path / "special"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path.name)
    with pytest.raises(OSError, match=r"pipe or a device|a socket|Is a directory|No such device"):
        open_regular(path)


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(OSError, match="no file can have this name"):
        open_regular(Path("a\0b"))


def test_json_nested_too_deep_is_a_value_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"[" * 100_000)
    with pytest.raises(ValueError, match="nested too deep"):
        read_json(tmp_path / "x", 1 << 20)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (5, "5 bytes"),
        (1000, "1 kB"),
        (999_960, "1 MB"),
        (52_540_174, "52.5 MB"),
        (25_165_824, "25.2 MB"),
        (10**16, "10000 TB"),
    ],
)
def test_sizes_are_written_in_units(size: int, text: str) -> None:
    assert readable_size(size) == text


def test_a_size_and_a_limit_never_read_alike() -> None:
    assert size_and_limit(52_540_174, 25_000_000) == "52.5 MB; the limit is 25 MB"
    assert size_and_limit(4_194_305, 4_194_304) == "4,194,305 bytes; the limit is 4,194,304 bytes"


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that was started with an ordinary umask and keeps its files private."""
    monkeypatch.setattr(files._Umask, "start", None)
    before = os.umask(0o022)
    keep_files_private()
    yield
    os.umask(before)


def test_files_are_private_but_documents_have_the_users_umask(private: None, tmp_path: Path) -> None:
    (tmp_path / "own").touch()
    write_file(tmp_path / "document", b"")
    write_file(tmp_path / "secret", b"", files.PRIVATE)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"own": 0o600, "document": 0o644, "secret": 0o600}
    assert document_mode() == 0o644


def test_another_program_is_started_with_the_users_umask(private: None) -> None:
    keep_files_private()  # a second time changes nothing
    with users_umask():
        assert os.umask(0o022) == 0o022
    assert os.umask(0o077) == 0o077


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """Return a link that leads to itself by way of another."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.symlink_to(second)
    second.symlink_to(first)
    return first


def test_a_link_that_leads_to_itself_is_an_error_that_says_so(endless: Path) -> None:
    uses: tuple[Callable[[Path], object], ...] = (
        open_regular,
        lambda path: write_file(path, b"x"),
        lambda path: rewrite_file(path, b"x"),
        lambda path: resolved(path / "below"),
    )
    for use in uses:
        with pytest.raises(OSError, match="leads to itself") as caught:
            use(endless)
        assert caught.value.errno == errno.ELOOP
    assert endless.is_symlink()


def test_a_pipe_is_refused_without_being_opened(tmp_path: Path) -> None:
    """Opening it would let its writer go on, and closing it would then break that writer."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="pipe or a device"), counted_opens() as opened:
        open_regular(pipe)
    assert opened == []


@contextmanager
def counted_opens() -> Iterator[list[str]]:
    """Yield the names of the files that are opened meanwhile."""
    names: list[str] = []
    active = [True]

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if active and event == "open":
            names.append(str(arguments[0]))

    sys.addaudithook(note)
    try:
        yield names
    finally:
        active.clear()


def test_a_device_is_refused_without_opening_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening alone would make a terminal, or start a watchdog."""
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda *of, **_: opened.append(of))
    with pytest.raises(OSError, match="pipe or a device"):
        open_regular(Path("/dev/ptmx"))
    assert not opened


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="leads to itself"):
        open_regular(tmp_path / "loop")


@pytest.mark.parametrize("path", ["/proc/self/environ", "/sys/kernel", "/dev/null", "/proc/self/fd/0"])
def test_what_the_system_makes_up_is_no_file_of_a_person(path: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="makes it up"):
        refuse_system_file(Path(path))
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(OSError, match="makes it up"):
        refuse_system_file(tmp_path / "link")
    refuse_system_file(tmp_path)


def test_a_path_with_the_home_of_nobody_is_refused() -> None:
    with pytest.raises(OSError, match="no user has this home folder"):
        user_path("~nobody-of-this-name/file")

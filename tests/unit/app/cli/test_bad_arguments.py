"""Invalid arguments of the network commands: one sentence, and the exit code for bad use."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from liven.app import main as front


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / ".hidden").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("cp", "use `liven cp FILE… GROUP` to send"),
        ("cp --get", "`liven cp --get GROUP` to receive"),
        ("cp file", "use `liven cp FILE… GROUP` to send"),
        ("cp missing group", "missing: No such file or directory"),
        ("cp folder group", "folder: Is a directory; name a file in it"),
        ("cp file folder/../file group", "two files have the same name"),
        ("cp --get group --into missing", "--into missing: there is no such folder; create it first"),
        ("cp file group --wait 0", "--wait a number of seconds"),
        ("chat ", "'' is not a valid group name"),
        ("chat \udcff", "'\\udcff' is not a valid group name; use printable characters"),
        ("cp file \udcff", "'\\udcff' is not a valid group name"),
        ("cp .hidden group", "'.hidden': receivers refuse names that are hidden"),
        ("chat group --interface 300.1.1.1", "--interface is '300.1.1.1'; it must be the address of one"),
        ("top --looks -1", "--looks takes a number of updates"),
        ("top --interval 0", "--interval takes 0.1 to 3600 seconds"),
    ],
)
def test_an_invalid_argument_is_explained_in_a_sentence(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front.main(words.split(" ")) == 2 if words != "chat group --interface 300.1.1.1" else ends(words)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("liven: ")
    assert told in line


def ends(words: str) -> bool:
    """Run a command that exits because of an invalid setting; return its exit code and message."""
    with pytest.raises(SystemExit) as ended:
        front.main(words.split(" "))
    return ended.value.code == 2


def test_a_closed_standard_input_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert front.main(["chat", "group"]) == 2
    assert "there is no input to send" in capsys.readouterr().err
    assert front.main(["show", "-"]) == 2
    assert "there is no standard input; name a file" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "where"), [("cp file group", "file"), ("cp --get group", ".")])
def test_a_disk_error_names_the_file(
    words: str, where: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The OSError of a disk that fails under an open file has no file name."""

    def broken(_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("liven.app.cp.command.Engine", broken)
    assert front.main(words.split()) == 1
    assert capsys.readouterr().err == f"liven: {where}: Input/output error\n"

"""Each test confines a process of its own: confinement cannot be undone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from liven.runtime.sandbox import Protection, ProtectionError, protection
from liven.runtime.sandbox.syscall_table import ALLOWED, REFUSED

needs_protection = pytest.mark.skipif(
    bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process"
)


def confined(code: str, own: Path) -> str:
    """Return what a line of code prints in a confined process, which may write to `own` only."""
    (own / "there").touch()
    text = (
        "from pathlib import Path; from liven.runtime.sandbox import Protection; import os, sys, errno\n"
        f"own = Path({str(own)!r})\n"
        "Protection.of_this_kernel().confine([], [own])\n"
        f"try: print({code})\n"
        "except BaseException as error: print(type(error).__name__)\n"
    )
    command = [sys.executable, "-P", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=60)
    return done.stdout.strip() or done.stderr


@needs_protection
@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("(own / 'a').write_text('b')", "1"),
        ("(own / 'a').symlink_to('/etc/passwd')", "PermissionError"),
        ("os.mkfifo(own / 'a')", "PermissionError"),
        ("open('/etc/passwd').read()", "PermissionError"),
        ("os.listdir('/')", "PermissionError"),
        ("open('/proc/self/status').read()", "PermissionError"),
        ("open('/dev/ptmx')", "PermissionError"),
        ("open('/dev/null', 'w').write('x')", "1"),
        ("os.open(own / 'there', os.O_RDONLY | os.O_TRUNC)", "PermissionError"),
        ("os.open(own / 'new', os.O_RDWR | os.O_TRUNC | os.O_CREAT) > 2", "True"),
        ("os.memfd_create('x')", "PermissionError"),
        ("__import__('ctypes').CDLL(None, use_errno=True).syscall(425, 1, 0)", "-1"),
        ("__import__('decimal').Decimal(1)", "1"),
        ("len(os.urandom(3))", "3"),
    ],
)
def test_confined_process_does_its_work_and_nothing_else(code: str, answer: str, tmp_path: Path) -> None:
    assert confined(code, tmp_path) == answer


@needs_protection
def test_private_folder_below_the_program_is_refused(tmp_path: Path) -> None:
    inside = Path(os.__file__).parent / "home"
    with pytest.raises(ProtectionError, match="LIVEN_HOME"):
        Protection.of_this_kernel().confine([], [], private=[tmp_path, inside])


def test_no_call_is_both_allowed_and_refused() -> None:
    for column in (0, 1):
        numbers = [row[column] for row in (*ALLOWED.values(), *REFUSED.values()) if row[column] >= 0]
        assert len(numbers) == len(set(numbers))


def test_kernel_without_one_of_the_means_is_refused() -> None:
    for one in (Protection(0, syscall_filter=True), Protection(7, syscall_filter=False)):
        assert one.missing in str(one)
        with pytest.raises(ProtectionError, match="lacks"):
            one.confine([], [])


def test_home_and_what_holds_it_is_never_opened_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = protection.home_folder()
    monkeypatch.setattr(sys, "path", [str(home), "/", str(home.parent), str(tmp_path)])
    opened = protection.program_folders()
    assert tmp_path in opened
    assert not {home, home.parent, Path("/")} & set(opened)

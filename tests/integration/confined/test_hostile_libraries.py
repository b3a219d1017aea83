"""Hostile libraries, one trick each: it fails, or ends the library's own process with a sentence, and nothing
else is affected. Each runs as code that a person allowed when a recipe asked for it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from tests.integration.confined.conftest import SOURCE, Desk, needs_protection

from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.tunnel.frames import pack

pytestmark = needs_protection


@pytest.fixture
def probe(desk: Desk) -> Probe:
    """A neighbour of the library's object."""
    desk.bring()
    return desk.probe(desk.open())


def attack(desk: Desk, probe: Probe, code: str) -> None:
    """Let the library's code do something that it will not answer."""
    probe.call("do", {"code": code})


def _settled(reply: Reply[ProxyHandle]) -> bool:
    return reply.settled


def ended(desk: Desk, probe: Probe) -> str:
    """Wait until the object has ended, and return what the person was told."""
    desk.wait(lambda: probe.heard[-1] == ("disconnect",) and desk.heard)
    return desk.heard[-1]


def test_secret_key_is_not_readable(desk: Desk, probe: Probe) -> None:
    key = desk.folders.config / "cluster.key"
    key.parent.mkdir(parents=True, exist_ok=True)
    key.write_text("secret")
    assert desk.do(probe, f"open({str(key)!r}).read()").startswith("PermissionError")
    assert desk.do(probe, f"os.listdir({str(desk.folders.config)!r})").startswith("PermissionError")
    assert desk.do(probe, "os.listdir(os.path.expanduser('~root'))").startswith("PermissionError")


def test_environment_is_not_inherited(desk: Desk, probe: Probe) -> None:
    names = desk.do(probe, "sorted(os.environ)")
    assert "HOME" in names and "LIVEN" not in names and "XDG" not in names and "PIP" not in names
    assert desk.do(probe, "os.environ['HOME']") == str(desk.process().folder)


def test_descriptors_are_not_inherited(desk: Desk, probe: Probe, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        desk.session.processes.running[0].end("it is started again")
        ended(desk, probe)
        again = desk.probe(desk.open())
        inode = os.fstat(held.fileno()).st_ino
        found = desk.do(again, f"[n for n in range(64) if open_inode(n) == {inode}]")
        assert found == "[]"


def test_nothing_is_written_outside_its_folder(desk: Desk, probe: Probe, tmp_path: Path) -> None:
    assert desk.do(probe, f"open({str(tmp_path / 'mark')!r}, 'w')").startswith("PermissionError")
    assert desk.do(probe, "pathlib.Path('notes.txt').write_text('mine')") == "4"
    library = next((desk.folders.data / "libraries").rglob("echo.py"))
    assert desk.do(probe, f"open({str(library)!r}, 'a')").startswith("PermissionError")


def test_no_folder_is_made(desk: Desk, probe: Probe) -> None:
    """Nested folders could grow too deep to be counted or deleted."""
    assert desk.do(probe, "os.mkdir('folder')").startswith("PermissionError")


def test_file_modes_and_times_stay_as_they_are(desk: Desk, probe: Probe, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for call, values in (("chmod", "0"), ("utime", "(0, 0)"), ("truncate", "0"), ("chown", "1, 1")):
        code = f"os.{call}({str(tmp_path / 'file')!r}, {values})"
        assert desk.do(probe, code).startswith("PermissionError"), code


def test_no_socket_opens(desk: Desk, probe: Probe) -> None:
    for family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"):
        assert desk.do(probe, f"socket.socket(socket.{family})").startswith("PermissionError")


def test_no_process_starts(desk: Desk, probe: Probe) -> None:
    assert desk.do(probe, "os.fork()").startswith("PermissionError")
    assert desk.do(probe, "__import__('subprocess').run(['true'])").startswith("PermissionError")
    assert desk.do(probe, "os.execv('/bin/true', ['true'])").startswith("PermissionError")


def test_no_other_process_gets_a_signal(desk: Desk, probe: Probe) -> None:
    own = os.getpid()
    assert desk.do(probe, f"os.kill({own}, 0)").startswith("PermissionError")
    assert desk.do(probe, "os.kill(-1, 0)").startswith("PermissionError")
    assert desk.do(probe, "os.killpg(0, 0)").startswith("PermissionError")
    set_owner = f"__import__('fcntl').fcntl(0, 8, {own})"
    assert desk.do(probe, set_owner).startswith("PermissionError")
    assert desk.do(probe, f"open('/proc/{own}/environ').read()").startswith("PermissionError")


def test_trust_question_is_not_within_reach(desk: Desk, probe: Probe) -> None:
    rooms = ("liven.app", "liven.liveobjects", "liven.multicast")
    assert desk.do(probe, f"[m for m in sys.modules if m.startswith({rooms})]") == "[]"


def test_memory_is_limited(desk: Desk, probe: Probe) -> None:
    assert desk.do(probe, "len(bytearray(8 << 30))").startswith("MemoryError")
    assert desk.do(probe, "1 + 1") == "2"


def test_memory_hog_ends_with_a_sentence(desk: Desk, probe: Probe) -> None:
    attack(desk, probe, "globals().update(hoard=b'x' * (1200 << 20)) or time.sleep(60)")
    process = desk.process()
    resident = Path(f"/proc/{process.pid}/statm")
    desk.wait(lambda: int(resident.read_text().split()[1]) * 4096 > 1 << 30)
    desk.crank.advance(1.0)
    assert "GB of memory" in ended(desk, probe)


def test_hoard_of_files_ends_with_a_sentence(desk: Desk, probe: Probe) -> None:
    code = "[pathlib.Path(str(n)).write_bytes(b'x' * (15 << 20)) for n in range(20)]"
    assert desk.do(probe, code).startswith("[")
    desk.crank.advance(6.0)
    assert "the limit is" in ended(desk, probe)


def test_hidden_hoard_is_found(desk: Desk, probe: Probe) -> None:
    code = "hide([b'x' * (15 << 20)] * 20)"
    assert desk.do(probe, code) == "20"
    assert desk.do(probe, "os.listdir()") == "['.lock']"
    desk.crank.advance(6.0)
    assert "the limit is" in ended(desk, probe)


def test_one_file_is_limited(desk: Desk, probe: Probe) -> None:
    answer = desk.do(probe, "pathlib.Path('large').write_bytes(b'x' * (32 << 20))")
    assert answer.startswith("OSError") and "too large" in answer


def test_it_cannot_outlive_the_program(desk: Desk, probe: Probe) -> None:
    outlive = "ctypes.CDLL(None, use_errno=True).prctl(1, 0, 0, 0, 0)"
    assert desk.do(probe, outlive) == "-1"
    conceal = "ctypes.CDLL(None, use_errno=True).prctl(4, 0, 0, 0, 0)"
    assert desk.do(probe, conceal) == "-1"


def test_descriptors_are_limited(desk: Desk, probe: Probe) -> None:
    answer = desk.do(probe, "[os.dup(0) for _ in range(100000)]")
    assert answer.startswith("OSError") and "Too many open files" in answer


def test_threads_are_limited(desk: Desk, probe: Probe) -> None:
    code = "[threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range(20000)]"
    assert desk.do(probe, code).startswith("RuntimeError")


def test_crowd_of_small_threads_ends_with_a_sentence(desk: Desk, probe: Probe) -> None:
    code = "threading.stack_size(1 << 15) or " + (
        "len([threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range(600)])"
    )
    assert desk.do(probe, code) == "600"
    desk.crank.advance(1.0)
    assert "threads; the limit is 512" in ended(desk, probe)


def test_open_file_cannot_be_hidden_in_a_socket(desk: Desk, probe: Probe) -> None:
    """A descriptor under way in a socket is in no process's list of open files."""
    code = "socket.send_fds(socket.socket(fileno=os.dup(int(sys.argv[2]))), [b'x'], [0])"
    assert desk.do(probe, code).startswith("BrokenPipeError")


def test_exit_costs_the_object_alone(desk: Desk, probe: Probe) -> None:
    attack(desk, probe, "os._exit(3)")
    assert "its process ended itself (exit code 3)" in ended(desk, probe)


def test_segmentation_fault_costs_the_object_alone(desk: Desk, probe: Probe) -> None:
    attack(desk, probe, "ctypes.string_at(0)")
    assert "its process crashed (SIGSEGV)" in ended(desk, probe)


def test_stopped_process_is_told_and_ended(desk: Desk, probe: Probe) -> None:
    process = desk.process()
    attack(desk, probe, "os.kill(os.getpid(), signal.SIGSTOP)")
    desk.pass_time(lambda: process.is_silent, 6)
    desk.pass_time(lambda: not process.open, 20)
    assert "it did not answer for 15 seconds" in ended(desk, probe)


def test_catastrophic_expression_is_ended(desk: Desk, probe: Probe) -> None:
    process = desk.process()
    attack(desk, probe, "re.match('(a|a)*b', 'a' * 60)")
    desk.pass_time(lambda: not process.open, 20)
    assert "it did not answer for 15 seconds" in ended(desk, probe)


@pytest.mark.slow
def test_endless_loop_is_interrupted_in_its_own_process(desk: Desk, probe: Probe) -> None:
    attack(desk, probe, "[0 for _ in iter(int, 1)]")
    assert "did not end and was interrupted" in ended(desk, probe)
    assert desk.process().open


def test_flood_of_messages_ends(desk: Desk, probe: Probe) -> None:
    process = desk.process()
    attack(desk, probe, "flood(self, 'post')")
    desk.wait(lambda: len(probe.heard) > 1000)
    desk.pass_time(lambda: not process.open, 30)
    assert any(one in ended(desk, probe) for one in ("flooded this program", "did not answer"))


def test_flood_leaves_time_for_everything_else(desk: Desk, probe: Probe) -> None:
    attack(desk, probe, "flood(self, 'post')")
    desk.wait(lambda: len(probe.heard) > 1000)
    before = len(probe.heard)
    desk.crank.settle()  # would not return while there are messages to read
    assert len(probe.heard) - before < 6000


def nested(depth: int) -> list[object]:
    """Return lists within lists, which MessagePack reads and `repr` may not."""
    found: list[object] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    "frame",
    [
        b"\0\0\0\4aaaa",
        b"\xff\xff\xff\xff",
        b"\0\0\0\1\xc0",
        pack("event", 1, "post", "said", b"\xc0"),
        pack("event", 1, "post", "do", b""),
        pack("event", 1, ["post"], {}, 3),
        pack("event", 999, "post", "said", b""),
        pack("event", -1, "post", "said", b""),
        pack("built", 1),
        pack("problem", 1, "declined", "", "", ""),
        pack("unbuilt", 1, "", ""),
        pack("trust", 1),
        pack("ready", 7),
        pack("pong", 2**64 - 1, 3),
        pack("trust", nested(1000)),
        pack("event", 1, nested(1000), "said", b""),
        pack("event", 1, "post", nested(1000), b""),
        pack("event", 1, "post", "said", b"\x91" * 1000 + b"\x90"),
    ],
)
def test_message_that_makes_no_sense_ends_it(desk: Desk, probe: Probe, frame: bytes) -> None:
    attack(desk, probe, f"os.write(int(sys.argv[1]), bytes.fromhex('{frame.hex()}'))")
    assert "makes no sense" in ended(desk, probe) or "a frame" in desk.heard[-1]


def test_crashes_in_a_row_are_started_less_and_less(desk: Desk) -> None:
    desk.bring(SOURCE.replace("self.times = times", "import os; os._exit(1)"))
    crank, processes = desk.crank, desk.session.processes
    begun = crank.now()
    for _ in range(5):
        reply = desk.session.loader.dereference(desk.reference(), at=("echo",))
        desk.wait(lambda: processes.running or (crank.timers.wanted() or 99.0) <= crank.now() + 8.0)
        if not processes.running:
            crank.advance(8.0)  # it waits for its turn
        desk.wait(partial(_settled, reply))
        assert "ended itself" in str(reply.error)
    assert crank.now() - begun >= 12.0
    assert "ended 5 times in a minute" in str(desk.refusal())
    crank.advance(61.0)
    assert "ended itself" in str(desk.refusal())


def test_import_is_confined_too(desk: Desk, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(Exception, match="PermissionError"):
        desk.bring(SOURCE + f"\nopen({str(mark)!r}, 'w')\n")
    assert not mark.exists()


def test_process_ends_with_the_program(desk: Desk, probe: Probe) -> None:
    process = desk.process()
    desk.close()
    desk.wait(lambda: not Path(f"/proc/{process.pid}").exists())

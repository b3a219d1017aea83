"""Each fuzz target of the core for half a minute: libFuzzer's where clang is, else the plain mutator's.

Only libFuzzer follows what an input does inside the core. Without clang the test says so and runs the targets
with inputs that their own generators make, changed at random.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
TARGETS = sorted(path.stem for path in Path(__file__).parent.glob("fuzz_*.c") if path.stem != "fuzz_main")
SECONDS = 30
LONGEST_INPUT = 4096

pytestmark = pytest.mark.slow


def can_follow(clang: str, place: Path) -> bool:
    """Whether this clang links libFuzzer and the sanitizers: some systems pack them apart."""
    source = place / "empty.c"
    source.write_text("int LLVMFuzzerTestOneInput(const char *d, long n) { return d == 0 && n > 0; }\n")
    command = [clang, "-fsanitize=fuzzer,address,undefined", str(source), "-o", str(place / "empty")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bool]:
    """The folder of the programs, and whether they are libFuzzer's."""
    clang = shutil.which("clang")
    follows = clang is not None and can_follow(clang, tmp_path_factory.mktemp("clang"))
    build = ROOT / "build" / ("fuzz-clang" if follows else "fuzz")
    options = [f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}", "-DLIVEN_TESTS=ON", "-DLIVEN_SANITIZE=ON"]
    if follows:
        options.append(f"-DCMAKE_C_COMPILER={clang}")
    configure = [str(TOOLS / "cmake"), "-S", str(ROOT / "multicast"), "-B", str(build), "-G", "Ninja"]
    compile_all = [str(TOOLS / "cmake"), "--build", str(build), "--target", *TARGETS]
    for command in ([*configure, *options], compile_all):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "fuzz", follows


def test_there_are_targets_for_the_wire_and_for_both_machines() -> None:
    assert TARGETS == ["fuzz_member_step", "fuzz_service_message", "fuzz_service_step", "fuzz_wire"]


@pytest.mark.parametrize("target", TARGETS)
def test_half_a_minute_finds_nothing(
    target: str, built: tuple[Path, bool], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, follows = built
    arguments = [f"-max_total_time={SECONDS}", f"-max_len={LONGEST_INPUT}"] if follows else [str(SECONDS)]
    if not follows:
        with capfd.disabled():
            sys.stderr.write(f"\n{target}: clang with libFuzzer is not here; inputs are changed blindly\n")
    command = [str(folder / target), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]

"""Run each fuzz target of the core for half a minute: with libFuzzer if clang is installed, else with the
mutator of fuzz_main.c.

Only libFuzzer follows the path of an input through the core. Without clang the test says so, and changes the
inputs of the targets' own generators at random.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
TARGETS = sorted(path.stem for path in Path(__file__).parent.glob("fuzz_*.c") if path.stem != "fuzz_main")
ENTRY_POINTS = {
    "fuzz_member_step": "mcast_member_step",
    "fuzz_service_message": "mcast_service_message_decode",
    "fuzz_service_step": "mcast_service_step",
    "fuzz_wire": "mcast_header_read",
}
"""The function of the core that each target feeds with its inputs."""
SECONDS = 30
INPUTS_LEAST = 100
"""Inputs that the slowest target runs in that time, even on a busy machine under sanitizers."""
LONGEST_INPUT = 4096

pytestmark = pytest.mark.slow


def can_follow(clang: str, place: Path) -> bool:
    """True when this clang links libFuzzer and the sanitizers, which some systems package separately."""
    source = place / "empty.c"
    source.write_text("int LLVMFuzzerTestOneInput(const char *d, long n) { return d == 0 && n > 0; }\n")
    command = [clang, "-fsanitize=fuzzer,address,undefined", str(source), "-o", str(place / "empty")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bool]:
    """Build the targets; return their folder, and True if they use libFuzzer."""
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


def inputs_run(output: str) -> int:
    """Return how many inputs the program says that it ran; libFuzzer and fuzz_main.c word it differently."""
    counts = re.findall(r"^(?:Done )?(\d+) (?:inputs|runs)\b", output, re.M)
    return int(counts[-1]) if counts else 0


def calls_of(target: str) -> str:
    """Return the source of a target together with the headers of this folder that it includes."""
    folder = Path(__file__).parent
    texts = [(folder / f"{target}.c").read_text()]
    for text in texts:
        names = re.findall(r'#include "([^"]+)"', text)
        texts.extend((folder / name).read_text() for name in names if (folder / name).exists())
    return "\n".join(texts)


def test_each_way_into_the_core_has_a_target_that_calls_it() -> None:
    assert set(TARGETS) == set(ENTRY_POINTS)
    calling = {
        target for target, entry in ENTRY_POINTS.items() if re.search(rf"\b{entry}\(", calls_of(target))
    }
    assert calling == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_half_a_minute_of_inputs_breaks_no_promise(
    target: str, built: tuple[Path, bool], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, follows = built
    arguments = [f"-max_total_time={SECONDS}", f"-max_len={LONGEST_INPUT}"] if follows else [str(SECONDS)]
    if not follows:
        with capfd.disabled():
            sys.stderr.write(
                f"\n{target}: clang with libFuzzer is not installed; inputs are changed blindly\n"
            )
    command = [str(folder / target), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert inputs_run(done.stdout + done.stderr) >= INPUTS_LEAST

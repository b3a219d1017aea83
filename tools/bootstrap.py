"""Make `.venv` and install the project into it; do nothing, quickly, when nothing has changed.

`bootstrap.py program` installs what the program needs to run, `bootstrap.py` alone also what tests, checks
and Spark need. Any Python may run this file, so it keeps to syntax that Python 3.6 can read and to the
standard library, and says in one line what is missing.

Two files record how far a build came. `.venv/.unfinished` exists from before the first package until after
the last: pip takes a half-unpacked package for a whole one, so an environment with that file is made anew.
`.venv/.state` records the tree, interpreter, extras and files for which the environment was made.
"""

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "build" / ".lock"  # outside .venv, which is sometimes made anew
# Build tools, for those who change the program: installed first, because the project is then built without
# isolation, so that the next build finds the same compiler driver and takes a second instead of ten. The
# program alone is built in isolation: pip fetches the tools, uses them once and removes them (110 MB).
BUILD_TOOLS = ["scikit-build-core>=0.11", "cffi>=2", "cmake>=3.25", "ninja>=1.11", "setuptools>=70", "wheel"]
EXTRAS = "spark,test,dev"
# Files that every complete environment has; the second list is for one with the extras.
WHOLE = ["pyvenv.cfg", "bin/liven"]
WHOLE_WITH_EXTRAS = ["bin/pytest", "bin/mypy", "bin/cmake"]
CORE = "lib/python*/site-packages/liven/multicast/_core*.so"
# The only settings of pip that are passed on: how to reach an index. Others may make it install elsewhere.
PIP_KEPT = (
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_TRUSTED_HOST",
    "PIP_CERT",
    "PIP_PROXY",
    "PIP_CACHE_DIR",
)
ENVIRONMENT, INTERRUPTED = 3, 130
# Seconds between two lines about a step that goes on, where the output is no terminal.
SAID_EVERY = 20


def stop(message: str) -> "None":
    """End with one line that says what is missing and how to get it."""
    sys.stderr.write("liven: " + message + "\n")
    sys.exit(ENVIRONMENT)


def need_python() -> "None":
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:2]))
        stop(
            f"Python {found} is too old: 3.11 or newer is needed. Install one (Debian: apt install "
            "python3.11 python3.11-venv python3.11-dev), then: make PYTHON=python3.11"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop("this Python cannot make virtual environments. Debian: apt install python3-venv")


def need_compiler() -> "None":
    named = os.environ.get("CC", "").strip() or "cc"
    if shutil.which(named) is None and shutil.which(shlex.split(named)[0]) is None:
        stop(f"no C compiler: {named!r} is not on the path. Debian: apt install gcc; else set CC")
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        stop(f"the headers of this Python are missing ({header}). Debian: apt install python3-dev")


def need_room() -> "None":
    if VENV.exists() and not VENV.is_dir():
        stop(f"{VENV} is there and is not a folder; move it away")
    try:
        VENV.mkdir(exist_ok=True)
        probe = VENV / ".writable"
        probe.touch()
        probe.unlink()
        LOCK.parent.mkdir(exist_ok=True)
    except OSError as error:
        stop(f"cannot write to {ROOT} ({error.strerror}). Clone to a folder of your own and run make there")


def digest(paths: "list[Path]") -> str:
    """A hash of the files' names and contents."""
    mark = hashlib.sha256()
    for path in sorted(paths):
        mark.update(str(path.relative_to(ROOT)).encode())
        mark.update(path.read_bytes())
    return mark.hexdigest()


def wanted_state(extras: str = EXTRAS) -> "dict[str, str]":
    """Return the state that `.venv` should have."""
    room = ROOT / "multicast"
    core = [path for path in room.rglob("*") if path.suffix in (".c", ".h", ".txt") and path.is_file()]
    return {
        "root": str(ROOT),
        "python": sys.version,
        "extras": extras,
        "project": digest([ROOT / "pyproject.toml"]),
        "core": digest([*core, room / "binding" / "emit.py"]),
    }


def found_state() -> "dict[str, str]":
    """Return the state that `.venv` has; empty when it is missing or incomplete."""
    if (VENV / ".unfinished").exists():
        return {}
    try:
        state = json.loads((VENV / ".state").read_text())
        needed = WHOLE + (WHOLE_WITH_EXTRAS if state.get("extras") else [])
        if not all((VENV / name).exists() for name in needed):
            return {}
        probe = "import sys, pip; print(sys.prefix != sys.base_prefix, sys.version)"
        answer = subprocess.run([str(PYTHON), "-c", probe], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except (OSError, ValueError):
        return {}
    if answer.stdout.decode().strip() != "True " + str(state.get("python")):
        return {}
    if not list(VENV.glob(CORE)):
        state["core"] = "is not there"
    return dict(state)


def pip(why: str, advice: str, *arguments: str) -> "None":
    """Run pip quietly; on failure show the end of its log."""
    print("liven: " + why, flush=True)
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", *arguments]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") or k in PIP_KEPT}
    # Our own tools come first on the path, and nothing may ever be installed outside of an environment.
    path = str(VENV / "bin") + os.pathsep + os.environ.get("PATH", os.defpath)
    log_file = VENV / "build.log"
    with log_file.open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=str(ROOT),
            stdout=log,
            stderr=subprocess.STDOUT,
            env=dict(kept, PATH=path, PIP_REQUIRE_VIRTUALENV="1"),
        )
        code = awaited(process)
    if code != 0:
        lines = log_file.read_text(errors="replace").splitlines()
        sys.stderr.write("".join(f"  | {line}\n" for line in lines[-12:]))
        stop(f"{why}: failed. {advice} The whole log is {log_file}")


def awaited(process: "subprocess.Popen[bytes]") -> "int":
    """Return the exit code of a process, and show the time that it has taken so far."""
    begun, shows = time.monotonic(), sys.stdout.isatty()
    try:
        while True:
            try:
                return process.wait(1 if shows else SAID_EVERY)
            except subprocess.TimeoutExpired:
                line = f"liven: {time.monotonic() - begun:.0f} s so far"
                print("\r" + line if shows else line, end="" if shows else "\n", flush=True)
    finally:
        if shows:
            print("\r" + " " * 30, end="\r", flush=True)
        process.kill()  # it is not there any more, unless this was interrupted
        process.wait()


def make_venv() -> "None":
    """Replace `.venv` by a new, empty environment."""
    print(f"liven: making .venv with Python {sys.version.split()[0]}", flush=True)
    state = VENV / ".state"
    if state.exists():  # removed first: what an interrupted removal leaves must not look complete
        state.unlink()
    code = subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if code != 0:
        stop("python -m venv failed. Debian: apt install python3-venv")


def install(wanted: "dict[str, str]", found: "dict[str, str]") -> "None":
    """Bring `.venv` from the state `found` to the state `wanted`."""
    same_place = found.get("root") == wanted["root"] and found.get("python") == wanted["python"]
    index = "Is a package index within reach?"
    extras = wanted["extras"]
    isolation = ["--no-build-isolation"] if extras else []
    if not same_place:
        make_venv()
    (VENV / ".unfinished").touch()
    if same_place and found.get("project") == wanted["project"] and found.get("extras") == extras:
        pip("building the C core", "Its errors are above.", *isolation, "--no-deps", "-e", ".")
    else:
        if extras:
            pip("fetching the build tools", index, *BUILD_TOOLS)
        pip(
            _installing(same_place, extras),
            index,
            *isolation,
            "-e",
            f".[{extras}]" if extras else ".",
        )
    (VENV / ".state").write_text(json.dumps(wanted))
    (VENV / ".unfinished").unlink()


def _installing(same_place: bool, extras: str) -> str:
    if extras:
        return "installing Liven, Spark and the tools for tests and checks (1.5 GB, a minute or two)"
    return "bringing .venv up to date" if same_place else "installing Liven (370 MB, about a minute)"


def main() -> int:
    """Bring `.venv` up to date, one make at a time."""
    program_only = sys.argv[1:] == ["program"]
    need_python()
    need_compiler()
    need_room()
    with LOCK.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("liven: another make is building; waiting for it", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        found = found_state()
        # Extras that are installed already stay: `make demo` after `make test` has nothing to do.
        wanted = wanted_state(found.get("extras", "") if program_only else EXTRAS)
        if found != wanted:
            begun = time.monotonic()
            install(wanted, found)
            print(f"liven: .venv is ready after {time.monotonic() - begun:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.stderr.write("liven: interrupted; run make again\n")
        sys.exit(INTERRUPTED)

"""Makes `.venv` and installs the project into it; does nothing, quickly, when nothing has changed.

Run by `make build` with whatever Python is there, so it keeps to syntax that Python 3.6 can read
and to the standard library, and says in one line what is missing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = VENV / "build.log"
# What builds the core; installed first because the project is then built without isolation, so that
# the next build finds the same compiler driver and takes a second instead of ten.
BUILD_TOOLS = ["scikit-build-core>=0.11", "cffi>=2", "cmake>=3.25", "ninja>=1.11", "setuptools>=70", "wheel"]
EXTRAS = "spark,test,dev"
ENVIRONMENT = 3  # the exit code for "something is missing on this machine"


def stop(message: str) -> "None":
    """Ends with one line that says what is missing and how to get it."""
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
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler.split()[0]) is None:
        stop(f"no C compiler: {compiler!r} is not on the path. Debian: apt install gcc; else set CC")
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        stop(f"the headers of this Python are missing ({header}). Debian: apt install python3-dev")


def need_room() -> "None":
    try:
        VENV.mkdir(exist_ok=True)
        probe = VENV / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        stop(f"cannot write to {ROOT} ({error.strerror}). Clone to a folder of your own and run make there")


def digest(paths: "list[Path]") -> str:
    """A hash of the files' names and contents, and of the interpreter."""
    mark = hashlib.sha256(sys.version.encode() + str(ROOT).encode())
    for path in sorted(paths):
        mark.update(str(path.relative_to(ROOT)).encode())
        mark.update(path.read_bytes())
    return mark.hexdigest()


def core_files() -> "list[Path]":
    room = ROOT / "multicast"
    kinds = (".c", ".h", ".txt")
    emit = room / "binding" / "emit.py"
    return [path for path in room.rglob("*") if path.suffix in kinds and path.is_file()] + [emit]


def pip(why: str, *arguments: str) -> "None":
    """Runs pip quietly; on failure shows the end of its log."""
    print("liven: " + why, flush=True)
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", *arguments]
    # The tools that we installed must be found before any other on the path.
    environment = dict(os.environ, PATH=str(VENV / "bin") + os.pathsep + os.environ.get("PATH", os.defpath))
    with LOG.open("wb") as log:
        code = subprocess.call(command, cwd=str(ROOT), stdout=log, stderr=subprocess.STDOUT, env=environment)
    if code != 0:
        lines = LOG.read_text(errors="replace").splitlines()
        sys.stderr.write("".join(f"  | {line}\n" for line in lines[-12:]))
        stop(f"installing failed; the whole log is {LOG}. Is the package index within reach?")


def make_venv() -> "None":
    """A new environment when there is none, or when the one there is of another Python or broken."""
    probe = "import sys, pip; print(sys.version)"
    if PYTHON.exists():
        answer = subprocess.run([str(PYTHON), "-c", probe], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if answer.returncode == 0 and answer.stdout.decode().strip() == sys.version:
            return
    print(f"liven: making .venv with Python {sys.version.split()[0]}", flush=True)
    code = subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if code != 0:
        stop("python -m venv failed. Debian: apt install python3-venv")


def main() -> int:
    """Brings `.venv` up to date."""
    need_python()
    need_compiler()
    need_room()
    everything, core = VENV / ".everything", VENV / ".core"
    project_now, core_now = digest([ROOT / "pyproject.toml"]), digest(core_files())
    if everything.exists() and everything.read_text() == project_now and PYTHON.exists():
        if core.exists() and core.read_text() == core_now:
            return 0
        pip("building the C core", "--no-build-isolation", "--no-deps", "-e", ".")
    else:
        make_venv()
        pip("fetching the build tools", *BUILD_TOOLS)
        pip(
            "installing Liven and what it stands on (once; a minute or two)",
            "--no-build-isolation",
            "-e",
            f".[{EXTRAS}]",
        )
    everything.write_text(project_now)
    core.write_text(core_now)
    return 0


if __name__ == "__main__":
    sys.exit(main())

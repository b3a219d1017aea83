"""Check how the folders of the C core depend on each other, and how large its cycles of calls are.

A folder may include headers of the folders that `MAY_INCLUDE` names, and of itself; the public headers
under `mcast/` are open to all. `base` is below `wire`, and `wire` below the rest; the service and the folders
of the member never include each other. (The headers of `member` still hold state of its neighbours.)

A *cycle of calls* is a largest set of files of which each reaches every other by calls. Cycles may shrink,
and then their figure here is lowered; none may grow, and no new one may appear.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "multicast" / "core"

MAY_INCLUDE: Mapping[str, frozenset[str]] = {
    "base": frozenset(),
    "wire": frozenset({"base"}),
    "service": frozenset({"base", "wire"}),
    "member": frozenset({"base", "wire", "membership", "receive", "send"}),
    "membership": frozenset({"base", "wire", "member"}),
    "send": frozenset({"base", "member"}),
    "receive": frozenset({"base", "member"}),
    "ring": frozenset({"base", "member"}),
    "repair": frozenset({"base", "member"}),
    "slow": frozenset({"member"}),
}


@dataclass(frozen=True, slots=True)
class KnownCycle:
    """A cycle of calls that exists today: one of its files, and the most files that it may have."""

    name: str
    anchor: str
    most: int


KNOWN_CYCLES = (
    KnownCycle("member state", "ring/round.c", 38),
    KnownCycle("member dispatch", "member/datagram.c", 6),
    KnownCycle("service", "service/plan/plan.c", 22),
)

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DEFINITION = re.compile(r"^(?!static\b|typedef\b)[A-Za-z][\w *]*?[ *](\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w*")


def folder_of(name: str) -> str:
    """Return the folder of the core that holds the file `name`, a path from `core/`."""
    return name.split("/", 1)[0]


def include_faults(core: Path, may_include: Mapping[str, frozenset[str]] = MAY_INCLUDE) -> Iterator[str]:
    """Yield each include that the table forbids, and each file that lies in no folder of the table."""
    for path in sorted(core.rglob("*.[ch]")):
        name = path.relative_to(core).as_posix()
        folder = folder_of(name)
        if "/" not in name or folder not in may_include:
            yield f"{name}:1: lies in no folder of MAY_INCLUDE; move it into one of {', '.join(may_include)}"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            if include is not None:
                yield from _include_fault(core, f"{name}:{number}", folder, include[1], may_include)


def _include_fault(
    core: Path, place: str, folder: str, target: str, may_include: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    if target.startswith("mcast/"):
        return
    if ".." in Path(target).parts or not (core / target).is_file():
        yield f'{place}: "{target}" is no header of the core; write its path from core/'
    elif folder_of(target) not in may_include[folder] | {folder}:
        allowed = ", ".join(sorted(may_include[folder])) or "nothing"
        yield (
            f'{place}: {folder}/ may not include "{target}", only headers of {allowed}; '
            "move the function to a folder that both may include, or pass the value as an argument"
        )


def code_of(path: Path) -> str:
    """Return the text of a C file without its comments and string literals."""
    return COMMENT_OR_STRING.sub(" ", path.read_text(encoding="utf-8"))


def calls(core: Path) -> dict[str, set[str]]:
    """Map each C file to the other files whose extern functions it names."""
    code = {path.relative_to(core).as_posix(): code_of(path) for path in sorted(core.rglob("*.c"))}
    defined_in = {match[1]: name for name, text in code.items() for match in DEFINITION.finditer(text)}
    return {
        name: {defined_in[word] for word in WORD.findall(text) if word in defined_in} - {name}
        for name, text in code.items()
    }


def reachable(graph: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """Return the files that a chain of one or more calls from `start` reaches."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(graph[name])
    return found


def cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the cycles of calls with two files or more, the largest first."""
    reach = {name: reachable(graph, name) for name in graph}
    found: list[list[str]] = []
    placed: set[str] = set()
    for name in sorted(graph):
        if name in reach[name] and name not in placed:
            cycle = sorted(other for other in reach[name] if name in reach[other])
            placed.update(cycle)
            found.append(cycle)
    return sorted(found, key=lambda cycle: (-len(cycle), cycle))


def cycle_faults(found: Iterable[list[str]], known: Iterable[KnownCycle] = KNOWN_CYCLES) -> Iterator[str]:
    """Yield each cycle that grew, and each that is not known."""
    for cycle in found:
        here = [entry for entry in known if entry.anchor in cycle]
        most = max((entry.most for entry in here), default=0)
        if len(cycle) > most:
            title = " + ".join(entry.name for entry in here) or "a new cycle"
            yield (
                f"{title}: {len(cycle)} files call each other, {most} are allowed: {', '.join(cycle)}; "
                "let the lower file return what it found instead of calling back"
            )


def main() -> int:
    """Print the faults, or the size of each cycle of calls."""
    found = cycles(calls(CORE))
    faults = [*include_faults(CORE), *cycle_faults(found)]
    sizes = {
        entry.name: max((len(c) for c in found if entry.anchor in c), default=0) for entry in KNOWN_CYCLES
    }
    listed = ", ".join(f"{name} {size} files" for name, size in sizes.items())
    print("\n".join([*faults, f"cycles of calls in the core: {listed}"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

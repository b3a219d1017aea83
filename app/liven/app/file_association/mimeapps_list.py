"""The user's list of default programs, `mimeapps.list`: adding and removing our lines, keeping all others."""

from __future__ import annotations

SECTION = "[Default Applications]"


def with_defaults(text: str, types: tuple[str, ...], program: str) -> str:
    """Return the list with `program` as the default for each of the `types`."""
    lines = without(text, types).splitlines()
    new = [f"{one}={program}" for one in types]
    if SECTION not in [line.strip() for line in lines]:
        return "\n".join([*lines, *([""] if lines and lines[-1].strip() else []), SECTION, *new]) + "\n"
    at = next(number for number, line in enumerate(lines) if line.strip() == SECTION)
    return "\n".join([*lines[: at + 1], *new, *lines[at + 1 :]]) + "\n"


def without(text: str, types: tuple[str, ...], program: str = "") -> str:
    """Return the list without defaults for the `types`; if `program` is given, keep lines that name
    another."""
    kept: list[str] = []
    section = ""
    for line in text.splitlines():
        section = line.strip() if line.strip().startswith("[") else section
        name, equals, value = line.partition("=")
        ours = section == SECTION and equals and name.strip() in types
        if not (ours and (not program or value.strip(" ;") == program)):
            kept.append(line)
    return "\n".join(kept) + ("\n" if kept else "")

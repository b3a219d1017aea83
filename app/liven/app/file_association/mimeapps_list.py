"""The user's list of default programs (`mimeapps.list`): our lines put in, or taken out; all else is kept."""

from __future__ import annotations

SECTION = "[Default Applications]"


def with_defaults(text: str, types: tuple[str, ...], program: str) -> str:
    """The list with `program` as the default of each of the `types`."""
    lines = without(text, types).splitlines()
    new = [f"{one}={program}" for one in types]
    if SECTION not in [line.strip() for line in lines]:
        return "\n".join([*lines, *([""] if lines and lines[-1].strip() else []), SECTION, *new]) + "\n"
    at = next(number for number, line in enumerate(lines) if line.strip() == SECTION)
    return "\n".join([*lines[: at + 1], *new, *lines[at + 1 :]]) + "\n"


def without(text: str, types: tuple[str, ...], program: str = "") -> str:
    """The list with no default for the `types`; if `program` is given, those that name another are kept."""
    kept: list[str] = []
    section = ""
    for line in text.splitlines():
        section = line.strip() if line.strip().startswith("[") else section
        name, equals, value = line.partition("=")
        ours = section == SECTION and equals and name.strip() in types
        if not (ours and (not program or value.strip(" ;") == program)):
            kept.append(line)
    return "\n".join(kept) + ("\n" if kept else "")

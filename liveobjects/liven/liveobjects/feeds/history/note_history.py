"""The differences between two states of a note, word by word, and the edit that leads from one to the
other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, TypeAlias

from liven.liveobjects.feeds.history.difference import Act, Difference
from liven.liveobjects.text.document import Delete, Delta, Insert, Keep, Look, Run

Runs: TypeAlias = tuple[Run, ...]
_WORDS: Final = re.compile(r"\w+|\s|[^\w\s]")
_LONGEST_QUOTE: Final = 120
_MOST_WORDS: Final = 4_000
"""Words up to which texts are compared word by word. Longer ones are compared line by line first, and then
within the lines that differ: the comparison takes quadratic time."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place where two texts differ, as ranges of characters."""

    start: int
    end: int
    """The range in the text before."""
    new_start: int
    new_end: int
    """The range in the text after."""

    @property
    def key(self) -> str:
        return f"text:{self.start}-{self.end}:{self.new_start}-{self.new_end}"


def differences(before: Runs, after: Runs) -> tuple[Difference, ...]:
    """Return one difference for each place where words differ, and one if only looks do."""
    old, new = text_of(before), text_of(after)
    found = [_told(hunk, old, new) for hunk in hunks(old, new)]
    if not found and before != after:
        found.append(Difference(LOOKS, Act.CHANGED, "Looks", "the words are the same"))
    return tuple(found)


LOOKS: Final = "looks"
"""The key of the difference of two texts that have the same words."""


def restoration(now: Runs, then: Runs, keys: Iterable[str] | None = None) -> Delta:
    """Return the edit of the text `now` after which these places are as they were `then`; without keys, all
    is. Keys are those of the differences from `then` to `now`."""
    chosen = None if keys is None else frozenset(keys)
    old, new = text_of(then), text_of(now)
    made: list[Keep | Insert | Delete] = []
    all_looks = chosen is None or LOOKS in chosen
    read_old = read_new = 0
    for hunk in (*hunks(old, new), Hunk(len(old), len(old), len(new), len(new))):
        same = hunk.new_start - read_new
        made += _kept(now, then, read_new, read_old, same) if all_looks else [Keep(same, {})]
        read_old, read_new = hunk.end, hunk.new_end
        if chosen is None or hunk.key in chosen:
            made += [Insert(run.text, run.look) for run in _cut(then, hunk.start, hunk.end)]
            made.append(Delete(hunk.new_end - hunk.new_start))
        else:
            made.append(Keep(hunk.new_end - hunk.new_start, {}))
    return _tidy(made)


def hunks(old: str, new: str) -> tuple[Hunk, ...]:
    """Return the places where two texts differ, each as long as its words."""
    start = _common_words(_WORDS.findall(old), _WORDS.findall(new)) if old != new else len(old)
    old_words, new_words = _WORDS.findall(old[start:]), _WORDS.findall(new[start:])
    if max(len(old_words), len(new_words)) <= _MOST_WORDS:
        return tuple(_joined(_compared(old_words, new_words, start, start), old))
    found: list[Hunk] = []
    old_lines, new_lines = old[start:].splitlines(keepends=True), new[start:].splitlines(keepends=True)
    for hunk in _compared(old_lines, new_lines, start, start):
        words = _WORDS.findall(old[hunk.start : hunk.end])
        others = _WORDS.findall(new[hunk.new_start : hunk.new_end])
        if max(len(words), len(others)) > _MOST_WORDS:
            found.append(hunk)
        else:
            found += _compared(words, others, hunk.start, hunk.new_start)
    return tuple(_joined(found, old))


def _common_words(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of characters in the words with which both texts begin."""
    length = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        length += len(one)
    return length


def _compared(old: Sequence[str], new: Sequence[str], at: int, new_at: int) -> Iterator[Hunk]:
    """Yield the differing ranges of two texts in parts, of which the first begins at a character."""
    ends, new_ends = _ends(old, at), _ends(new, new_at)
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield Hunk(ends[a], ends[b], new_ends[c], new_ends[d])


def _ends(parts: Sequence[str], at: int) -> list[int]:
    made = [at]
    for part in parts:
        made.append(made[-1] + len(part))
    return made


def _joined(found: Iterable[Hunk], old: str) -> Iterator[Hunk]:
    """Join places that only one blank or sign separates: a sentence that was written anew is one place."""
    last: Hunk | None = None
    for hunk in found:
        if last is not None and hunk.start - last.end <= 1 and "\n" not in old[last.end : hunk.start]:
            last = Hunk(last.start, hunk.end, last.new_start, hunk.new_end)
            continue
        if last is not None:
            yield last
        last = hunk
    if last is not None:
        yield last


def text_of(runs: Runs) -> str:
    """Return the characters of a text."""
    return "".join(run.text for run in runs)


def _told(hunk: Hunk, old: str, new: str) -> Difference:
    gone, come = old[hunk.start : hunk.end], new[hunk.new_start : hunk.new_end]
    if not gone.strip() and come.strip():
        return Difference(hunk.key, Act.ADDED, _quote(come))
    if not come.strip() and gone.strip():
        return Difference(hunk.key, Act.REMOVED, _quote(gone))
    if not gone.strip():
        return Difference(hunk.key, Act.CHANGED, "Blanks", "between the words")
    return Difference(hunk.key, Act.WRITTEN, _quote(come), f"it was {_quote(gone)}")


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST_QUOTE else f"“{line[: _LONGEST_QUOTE - 1]}…”"


def _kept(now: Runs, then: Runs, at: int, then_at: int, length: int) -> Iterator[Keep]:
    """Yield the changes of look for characters that are the same at both moments."""
    here, there = _cut(now, at, at + length), _cut(then, then_at, then_at + length)
    ends = sorted({*_run_ends(here), *_run_ends(there)})
    begin = 0
    for end in ends:
        before, wanted = _look_at(here, begin), _look_at(there, begin)
        yield Keep(end - begin, _look_change(before, wanted))
        begin = end


def _look_change(before: Look, wanted: Look) -> dict[str, Any]:
    change = {key: value for key, value in wanted.items() if before.get(key) != value}
    change.update({key: None for key in before if key not in wanted})
    return change


def _cut(runs: Runs, start: int, end: int) -> Runs:
    """Return the part of a text between two characters."""
    made, at = [], 0
    for run in runs:
        text = run.text[max(0, start - at) : max(0, end - at)]
        if text:
            made.append(Run(text, run.look))
        at += len(run.text)
    return tuple(made)


def _run_ends(runs: Runs) -> list[int]:
    return _ends([run.text for run in runs], 0)[1:]


def _look_at(runs: Runs, at: int) -> Look:
    for run in runs:
        if at < len(run.text):
            return run.look
        at -= len(run.text)
    return {}


def _tidy(delta: Sequence[Keep | Insert | Delete]) -> Delta:
    """Join neighbours, and drop what does nothing at the end."""
    made: list[Keep | Insert | Delete] = []
    for part in delta:
        if not isinstance(part, Insert) and not part.length:
            continue
        last = made[-1] if made else None
        if isinstance(part, Keep) and isinstance(last, Keep) and part.look == last.look:
            made[-1] = Keep(last.length + part.length, last.look)
        else:
            made.append(part)
    while made and isinstance(made[-1], Keep) and not made[-1].look:
        made.pop()
    return tuple(made)

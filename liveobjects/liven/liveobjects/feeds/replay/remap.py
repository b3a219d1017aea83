"""New names for the channels and objects of a replay: `talk=rehearsal` plays `talk` as `rehearsal`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from liven.liveobjects.feeds.replay.errors import BadChoiceError
from liven.liveobjects.feeds.replay.rows import CHANNEL, OBJECT, Names, Rows


@dataclass(frozen=True, slots=True)
class Remap:
    """Names that replace others, in the columns of objects and channels alike."""

    names: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Remap:
        """Read `OLD=NEW`; raise BadChoiceError for anything else. Names may contain `=` if they are quoted by
        doubling it."""
        pairs = []
        for text in texts:
            old, sign, new = text.replace("==", "\0").partition("=")
            if not (old and sign and new) or "=" in new:
                raise BadChoiceError(f"--remap {text!r} is not OLD=NEW", "give the recorded name first")
            pairs.append((old.replace("\0", "="), new.replace("\0", "=")))
        if len({old for old, _ in pairs}) < len(pairs):
            raise BadChoiceError("--remap names one channel twice", "give each old name once")
        return cls(tuple(pairs))

    def name(self, old: str) -> str:
        """Return the new name of a channel or an object."""
        return dict(self.names).get(old, old)

    def applied(self, rows: Rows) -> Rows:
        """Return rows with the new names."""
        if not self.names:
            return rows
        names = list(rows.names)
        known = dict(self.names)
        for column in (OBJECT, CHANNEL):
            codes, table = names[column].codes, names[column].table
            names[column] = Names(codes, tuple(known.get(name, name) for name in table))
        return replace(rows, names=(names[0], names[1], names[2], names[3]))

"""The table of known properties and the Horn rules between them, read from data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.suggestions import suggestion

MAX_ENTRIES = 2000
"""The most names, and the most rules, one table may have."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: `given` together imply all of `then`."""

    given: frozenset[str]
    then: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class GuaranteeTable:
    """Names of properties, their other spellings, and the rules between them."""

    says: Mapping[str, str]
    spellings: Mapping[str, str]
    rules: tuple[Rule, ...] = ()

    def name(self, text: str) -> str:
        """Return the property that `text` names, in any spelling; raise FormulaError with the nearest
        name."""
        plain = re.sub(r"[\s_-]+", "-", text.strip().lower())
        found = self.spellings.get(plain)
        if found is None:
            raise FormulaError(
                f"{text.strip()!r} is not a known guarantee{suggestion(plain, self.spellings)}"
            )
        return found

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """Return `names` and all names that follow from them."""
        return frozenset(self.derivation(names))

    def derivation(self, names: Iterable[str]) -> dict[str, Rule | None]:
        """Return `names` and all that follows from them, each with its rule; None for the names given."""
        known: dict[str, Rule | None] = dict.fromkeys(names)
        grown = True
        while grown:
            size = len(known)
            for rule in self.rules:
                if rule.given <= known.keys():
                    known.update((name, rule) for name in rule.then if name not in known)
            grown = len(known) > size
        return known

    def extended(self, text: str, source: str = "the added table") -> GuaranteeTable:
        """Return this table with the names and rules of a TOML text added; raise FormulaError."""
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise FormulaError(f"{source} is not TOML: {error}") from None
        return _extend(self, data, source)


def builtin_table() -> GuaranteeTable:
    """The table that comes with the program."""
    text = resources.files(__package__).joinpath("guarantees.toml").read_text("utf-8")
    return GuaranteeTable({}, {}).extended(text, "guarantees.toml")


def _extend(base: GuaranteeTable, data: dict[str, Any], source: str) -> GuaranteeTable:
    if extra := data.keys() - {"name", "rule"}:
        raise FormulaError(f"{source}: {sorted(extra)[0]!r} is neither [[name]] nor [[rule]]")
    says, spellings = dict(base.says), dict(base.spellings)
    for entry in _entries(data, "name", source):
        _add_name(entry, says, spellings, source)
    named = GuaranteeTable(says, spellings, base.rules)
    rules = tuple(_rule(named, entry, source) for entry in _entries(data, "rule", source))
    kept = tuple(dict.fromkeys((*base.rules, *rules)))
    if max(len(says), len(kept)) > MAX_ENTRIES:
        raise FormulaError(f"{source}: a table may have at most {MAX_ENTRIES} names and as many rules")
    return GuaranteeTable(says, spellings, kept)


def _entries(data: dict[str, Any], key: str, source: str) -> list[dict[str, Any]]:
    entries = data.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise FormulaError(f"{source}: write [[{key}]] before each {key}")
    return entries


def _add_name(entry: dict[str, Any], says: dict[str, str], spellings: dict[str, str], source: str) -> None:
    name, meaning = entry.get("id"), entry.get("says")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise FormulaError(
            f"{source}: the id {name!r} may contain only small letters, digits and single hyphens"
        )
    if not isinstance(meaning, str) or not meaning:
        raise FormulaError(f"{source}: {name} needs a sentence `says = …`")
    if says.get(name, meaning) != meaning:
        raise FormulaError(f"{source}: {name} is known already and says: {says[name]}")
    says[name] = meaning
    for spelling in (name, *_texts(entry, "also", source)):
        if spellings.setdefault(spelling, name) != name:
            raise FormulaError(f"{source}: {spelling!r} is known already and means {spellings[spelling]}")


def _rule(table: GuaranteeTable, entry: dict[str, Any], source: str) -> Rule:
    given, then = _texts(entry, "if", source), _texts(entry, "then", source)
    if not given or not then:
        raise FormulaError(f"{source}: a rule needs names in `if` and in `then`: {entry}")
    try:
        return Rule(frozenset(map(table.name, given)), frozenset(map(table.name, then)))
    except FormulaError as error:
        raise FormulaError(f"{source}: in a rule, {error}") from None


def _texts(entry: dict[str, Any], key: str, source: str) -> list[str]:
    texts = entry.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise FormulaError(f"{source}: `{key}` must be a list of names, not {texts!r}")
    return texts

"""`liven types`: list the known classes, show their structure, and say whether one fits another.

Light to import: each verb imports its modules when it runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from liven.types.catalogue import Entry
    from liven.types.explanation import Explanation
    from liven.types.queries import Queries

OK, NO, BAD_USE = 0, 1, 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON object")
    shared.add_argument(
        "--module",
        action="append",
        default=[],
        metavar="FILE",
        help="load this module's classes too; runs it",
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    listing = verbs.add_parser("list", parents=[shared], help="list the known classes")
    listing.add_argument("part", nargs="?", default="", help="only names that contain this")
    listing.add_argument(
        "--kind", choices=("value", "interface", "endpoint", "object", "component", "formalism")
    )
    listing.add_argument(
        "--all", action="store_true", help="also the classes of the original that Liven will never have"
    )
    showing = verbs.add_parser("show", parents=[shared], help="show a class: its ids, structure, constraints")
    showing.add_argument("name", help="an alias, an id, or a type such as 'liven:folder<text, liven:object>'")
    for verb, help_, first in (
        ("match", "say whether two endpoints may be connected", "OBJECT.ENDPOINT"),
        ("subtype", "say whether one type can be used where another is expected", "TYPE"),
    ):
        comparing = verbs.add_parser(verb, parents=[shared], help=help_)
        comparing.add_argument("first", metavar=first)
        comparing.add_argument("second", metavar=first)
        comparing.add_argument("--full", action="store_true", help="show also what holds")


def run(args: argparse.Namespace, begin: Callable[[], Queries] | None = None) -> int:
    """Run one verb; return 0 for yes, 1 for no, 2 for a question that cannot be understood.

    `begin` supplies queries that know more than the classes of Liven itself.
    """
    from liven.types.queries import Queries, QueryError

    try:
        inquiry = Queries() if begin is None else begin()
        for file in args.module:
            inquiry.load(file)
        return _VERBS[args.verb](inquiry, args)
    except QueryError as problem:
        print(f"liven types: {problem}", file=sys.stderr)
        return BAD_USE


def _list(inquiry: Queries, args: argparse.Namespace) -> int:
    found = inquiry.listed(args.part, args.kind)
    entries = [one for one in found if args.all or not one.never]
    if args.json:
        return _print_json({"classes": [_row(one) for one in entries]})
    width = max((len(one.alias) for one in entries), default=0)
    for one in entries:
        never = "  never" if one.never else ""
        print(f"{one.kind:<10}{one.alias:<{width}}  {one.id if one.has_id else '-'}  {one.name}{never}")
    print(_total(len(entries), sum(one.never for one in found), everything=args.all))
    return OK


def _row(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "alias": entry.alias,
        "id": str(entry.id) if entry.has_id else None,
        "name": entry.name,
        "never": entry.never,
    }


def _total(listed: int, never: int, *, everything: bool) -> str:
    """Return the last line: the number of classes listed, and an explanation of `never` for those that no
    object uses."""
    total = f"{listed} class{'' if listed == 1 else 'es'}"
    if not never:
        return total
    if everything:
        return f"{total}; never: {never} of the original program that Liven will never have"
    return f"{total}; --all lists {never} more, of the original program, which Liven will never have"


def _show(inquiry: Queries, args: argparse.Namespace) -> int:
    shown = inquiry.shown(args.name)
    if args.json:
        return _print_json({"classes": [one.data for one in shown]})
    print("\n\n".join("\n".join(one.lines) for one in shown))
    return OK


def _match(inquiry: Queries, args: argparse.Namespace) -> int:
    return _answer(inquiry.match(args.first, args.second), args)


def _subtype(inquiry: Queries, args: argparse.Namespace) -> int:
    return _answer(inquiry.subtype(args.first, args.second), args)


def _answer(answer: Explanation, args: argparse.Namespace) -> int:
    if args.json:
        from liven.types.catalogue.description import explanation_data

        _print_json(explanation_data(answer))
    else:
        print(answer.render(full=args.full))
    return OK if answer else NO


def _print_json(data: dict[str, Any]) -> int:
    print(json.dumps(data, indent=1, ensure_ascii=False))
    return OK


_VERBS = {"list": _list, "show": _show, "match": _match, "subtype": _subtype}

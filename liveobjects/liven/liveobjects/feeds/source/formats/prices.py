"""Prices: bars from CSV with a heading (Yahoo's, too), klines as JSON arrays, and quotes as CSV or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError, Row, each, unusable
from liven.runtime.foreign_text import shown_value

_MILLISECOND: Final = 1_000
_KLINE_FEWEST: Final = 7
_KLINE_MOST: Final = 12
_TIMES: Final = ("date", "datetime", "time", "timestamp", "at")
_NULL: Final = "null"
"""Yahoo writes it for days without trade."""


def bar(cells: Mapping[str, Any]) -> Row:
    """Return the `Bar` of one line of a CSV by the names of its columns; raise FieldError."""
    row = {
        "at": _at(cells, _TIMES),
        **{name: fields.needed(_price(cells, name), name) for name in ("open", "high", "low", "close")},
        "volume": _amount(cells, "volume"),
        "adjusted_close": _price(cells, "adj close", "adjusted close", "adj_close", "adjusted_close"),
    }
    return _ordered(row)


def klines(data: bytes) -> Decoded:
    """Return the rows of a document, each a `Kline`."""
    try:
        whole = fields.document(data)
        if not isinstance(whole, list):
            raise FieldError(f"it is {shown_value(whole)}, not a list of klines")
    except FieldError as error:
        return unusable(str(error))
    return each(whole, _kline)


def _kline(one: Any) -> Row:
    if not isinstance(one, list) or not _KLINE_FEWEST <= len(one) <= _KLINE_MOST:
        raise FieldError(f"it is {shown_value(one)}, not a list of {_KLINE_FEWEST} to {_KLINE_MOST} fields")
    one = one + [None] * (_KLINE_MOST - len(one))
    opened = fields.needed(fields.microseconds(one[0], "open time", _MILLISECOND), "open time")
    closed = fields.needed(fields.microseconds(one[6], "close time", _MILLISECOND), "close time")
    prices = zip(("open", "high", "low", "close"), one[1:5], strict=True)
    row = {
        "at": opened,
        **{name: fields.needed(fields.number_in(value, name), name) for name, value in prices},
        "volume": fields.number_in(one[5], "volume", 0),
        "adjusted_close": None,
        "closed_at": closed,
        "quote_volume": fields.number_in(one[7], "quote volume", 0),
        "trades": fields.whole(one[8], "trades", 0),
        "taker_volume": fields.number_in(one[9], "taker base volume", 0),
        "taker_quote_volume": fields.number_in(one[10], "taker quote volume", 0),
    }
    if closed < opened:
        raise FieldError("its close time is before its open time")
    return _ordered(row)


def quote(cells: Any) -> Row:
    """Return the `Quote` of one line by the names of its fields; raise FieldError."""
    if not isinstance(cells, Mapping):
        raise FieldError(f"it is {shown_value(cells)}, not an object")
    symbol = fields.words(cells.get("symbol"), "symbol", 100)
    return {
        "at": _at(cells, _TIMES),
        "symbol": fields.needed(symbol, "symbol"),
        "bid": _price(cells, "bid"),
        "bid_size": _amount(cells, "bid_size", "bid size"),
        "ask": _price(cells, "ask"),
        "ask_size": _amount(cells, "ask_size", "ask size"),
        "last": _price(cells, "last"),
        "last_size": _amount(cells, "last_size", "last size"),
    }


def _at(cells: Mapping[str, Any], names: tuple[str, ...]) -> int:
    found = _found(cells, names)
    at: int = fields.needed(fields.moment_in(found, "time"), "time")
    return at


def _price(cells: Mapping[str, Any], *names: str) -> float | None:
    return fields.number_in(_found(cells, names), names[0])


def _amount(cells: Mapping[str, Any], *names: str) -> float | None:
    return fields.number_in(_found(cells, names), names[0], 0)


def _found(cells: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found = next((cells[name] for name in names if name in cells), None)
    return None if found == _NULL else found


def _ordered(row: Row) -> Row:
    """Return a bar whose low is not above its high."""
    if row["low"] > row["high"]:
        raise FieldError(f"its low of {row['low']:g} is above its high of {row['high']:g}")
    return row

"""The types of rows. Times are µs since 1970 (UTC), lengths metres, speeds metres a second, angles degrees.

A record that has the fields of another fits it: every report of an aircraft is an `Aircraft`, every kline a
bar.
"""

from __future__ import annotations

from liven.types.declare import Int64, value


@value(id="27997906FD6280D26C660F40D190622D", alias="liven:aircraft")
class Aircraft:
    """An aircraft at a moment: what all receivers tell."""

    at: Int64
    icao: str
    """Six hexadecimal digits; ~ before them for an address that is none of ICAO."""
    callsign: str | None
    latitude: float | None
    longitude: float | None
    altitude: float | None
    """By air pressure."""
    speed: float | None
    """Over ground."""
    track: float | None
    climb: float | None
    on_ground: bool | None
    squawk: str | None


@value(id="9DAE3F13636C48342F95A236C33AC87A", alias="liven:aircraft-state")
class AircraftState:
    """An aircraft as OpenSky tells it. `at` is the last contact."""

    at: Int64
    icao: str
    callsign: str | None
    latitude: float | None
    longitude: float | None
    altitude: float | None
    speed: float | None
    track: float | None
    climb: float | None
    on_ground: bool | None
    squawk: str | None
    country: str | None
    position_at: Int64 | None
    geometric_altitude: float | None
    sensors: list[Int64] | None
    alert: bool | None
    """Only old documents tell it."""
    special: bool | None
    """The pilot presses the button of special identification."""
    position_source: str
    """ads-b, asterix, mlat, flarm, or the number of another."""
    category: Int64 | None


@value(id="07B37E99A0718949F1436B298E1922ED", alias="liven:aircraft-report")
class AircraftReport:
    """An aircraft as readsb and dump1090 tell it."""

    at: Int64
    icao: str
    callsign: str | None
    latitude: float | None
    longitude: float | None
    altitude: float | None
    speed: float | None
    track: float | None
    climb: float | None
    on_ground: bool | None
    squawk: str | None
    kind: str | None
    """The way of reception, such as adsb_icao."""
    registration: str | None
    model: str | None
    position_at: Int64 | None
    geometric_altitude: float | None
    air_speed: float | None
    emergency: str | None
    category: str | None
    radius: float | None
    """The true position is within it."""
    signal: float | None
    """Decibels below full scale."""
    messages: Int64 | None
    alert: bool | None
    special: bool | None


@value(id="6582B409A2A352D3E14F7AED570FCBB8", alias="liven:basestation-message")
class BaseStationMessage:
    """One message of an aircraft, as a BaseStation port writes it. Most messages have few of the fields."""

    at: Int64
    icao: str
    callsign: str | None
    latitude: float | None
    longitude: float | None
    altitude: float | None
    speed: float | None
    track: float | None
    climb: float | None
    on_ground: bool | None
    squawk: str | None
    transmission: Int64
    """1 identification, 2 surface, 3 position, 4 velocity, 5 altitude, 6 squawk, 7 air to air, 8 all-call."""
    alert: bool | None
    emergency: bool | None
    special: bool | None


@value(id="663CEDAE8C25A110341B1AA3A83728AD", alias="liven:earthquake")
class Earthquake:
    """An earthquake. The same `id` comes again with a later `updated` when more is known."""

    at: Int64
    id: str
    updated: Int64
    latitude: float
    longitude: float
    depth: float | None
    magnitude: float | None
    magnitude_type: str | None
    place: str | None
    kind: str | None
    """earthquake, quarry blast, explosion, …"""
    status: str | None
    """automatic, reviewed or deleted."""
    alert: str | None
    tsunami: bool | None
    significance: Int64 | None
    felt: Int64 | None
    network: str | None
    stations: Int64 | None
    gap: float | None
    rms: float | None
    link: str | None


@value(id="078FD4B671396EA9C901A2EBF6C77B97", alias="liven:bar")
class Bar:
    """The prices of one interval that begins at `at`."""

    at: Int64
    open: float
    high: float
    low: float
    close: float
    volume: float | None
    adjusted_close: float | None


@value(id="CCD636601E870120A2FB1AB8EC375749", alias="liven:kline")
class Kline:
    """The prices and trades of one interval, as exchanges of coins tell them. It fits a bar."""

    at: Int64
    open: float
    high: float
    low: float
    close: float
    volume: float | None
    adjusted_close: float | None
    closed_at: Int64
    quote_volume: float | None
    trades: Int64 | None
    taker_volume: float | None
    taker_quote_volume: float | None


@value(id="E135063103EFF13828DDCD2EDFD1D787", alias="liven:quote")
class Quote:
    """The best prices for a symbol at a moment."""

    at: Int64
    symbol: str
    bid: float | None
    bid_size: float | None
    ask: float | None
    ask_size: float | None
    last: float | None
    last_size: float | None


@value(id="A2941B3AE6C478693D6D7477E74518E0", alias="liven:file-change")
class FileChange:
    """A file of a watched folder that is new, different or gone."""

    at: Int64
    path: str
    """Below the folder, with slashes."""
    change: str
    """added, changed or removed."""
    size: Int64
    modified: Int64

"""Distances, bearings and ways on a sphere, for whole arrays of places. Angles are in degrees, distances in
metres."""

from __future__ import annotations

import numpy as np

from liven.liveobjects.feeds.source.generator.random_stream import Floats

RADIUS = 6_371_000.0
"""Mean radius of the earth (IUGG)."""


def distance(north: Floats, east: Floats, to_north: Floats, to_east: Floats) -> Floats:
    """Return the length of the great circles (haversine formula)."""
    one, two = np.radians(north), np.radians(to_north)
    half = np.sin((two - one) / 2) ** 2
    half = half + np.cos(one) * np.cos(two) * np.sin(np.radians(to_east - east) / 2) ** 2
    found: Floats = 2 * RADIUS * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    return found


def bearing(north: Floats, east: Floats, to_north: Floats, to_east: Floats) -> Floats:
    """Return the directions in which the great circles begin, from 0 up to 360."""
    one, two, across = np.radians(north), np.radians(to_north), np.radians(to_east - east)
    ahead = np.cos(one) * np.sin(two) - np.sin(one) * np.cos(two) * np.cos(across)
    found: Floats = np.degrees(np.arctan2(np.sin(across) * np.cos(two), ahead)) % 360
    return found


def moved(north: Floats, east: Floats, track: Floats, metres: Floats) -> tuple[Floats, Floats]:
    """Return the places after a way in a direction."""
    one, way, angle = np.radians(north), metres / RADIUS, np.radians(track)
    two = np.arcsin(np.sin(one) * np.cos(way) + np.cos(one) * np.sin(way) * np.cos(angle))
    across = np.arctan2(np.sin(angle) * np.sin(way) * np.cos(one), np.cos(way) - np.sin(one) * np.sin(two))
    return np.degrees(two), (east + np.degrees(across) + 180) % 360 - 180

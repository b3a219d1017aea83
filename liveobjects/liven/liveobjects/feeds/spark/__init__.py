"""Spark's side of feeds; runs in a process of its own, never in the desktop."""

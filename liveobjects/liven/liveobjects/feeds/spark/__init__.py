"""The Spark side of feeds. It runs in its own process, never in the desktop."""

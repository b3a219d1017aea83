"""The demo: what a newcomer sees first, on a screen or off it."""

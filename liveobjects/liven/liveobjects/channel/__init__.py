"""Channels: what every shared object stands on."""

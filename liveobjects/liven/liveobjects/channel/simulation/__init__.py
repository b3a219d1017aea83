"""Channels in virtual time: a small FIFO group with faults, members on it, and the oracles that judge them.

The engine's own simulation (`liven.multicast.simulation`) runs the real core; this one has only what a
channel may rely on, so that thousands of schedules take minutes. Everything follows from the seed.
"""

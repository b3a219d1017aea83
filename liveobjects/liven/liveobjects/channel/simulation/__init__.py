"""Simulation of channels in virtual time: a FIFO group with faults, its members, and the checks that judge
them.

The engine's own simulation (`liven.multicast.simulation`) runs the real core. This one has only what a
channel may rely on, so that thousands of schedules take minutes. Everything follows from the seed. Start with
`schedule.py`.
"""

"""The part of a channel that an object sees: endpoint types, channel names, backpressure, and recipes.

The channel objects themselves are in `objects`. Start with `endpoints.py`.
"""

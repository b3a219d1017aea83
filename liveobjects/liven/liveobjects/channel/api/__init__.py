"""The part of channels that objects use: endpoint types, channel names, backpressure, and recipes.

The channel objects themselves are in `objects`. Start with `endpoints.py`.
"""

"""The network monitor of a window: traffic, loss and slow members, as tables and charts.

The same figures for a terminal are in `top`. Start at `dock`; `history` computes the figures.
"""

"""Accessibility of the windows: high contrast and reduced motion, chosen by the user or by the system.

Start at `theme`, which applies the `settings`.
"""

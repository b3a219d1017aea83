"""Copies of an object with new channels, alone or with everything inside it.

Windows and desktops start copies. Start at `recipe`; `state_collector` reads the contents and `deep_copy`
adds them.
"""

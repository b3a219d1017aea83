"""Other people on the same desktop: their pointers, selections and avatars, following one of them, and the
desktop in words for a screen reader.

Their delay is measured in desktop/peer_delay. Start in collaborators.
"""

"""Telling the user's desktop that `.liveobject` files and `liven:` links are ours, and taking that back."""

"""Feeds: recorded output of live objects that can be played again. Only `spark` exists so far."""

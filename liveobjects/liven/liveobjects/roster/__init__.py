"""The roster: who is here now."""

"""The test kit for authors of objects: a hand-cranked dispatcher, probes and a fake channel."""

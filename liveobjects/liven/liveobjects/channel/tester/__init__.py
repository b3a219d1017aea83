"""The channel tester: objects that load a channel and check what comes of it."""

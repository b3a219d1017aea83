"""A note: a text that several people write at once. `document` merges edits, `model` adds undo and the state
that all replicas agree on, `object` is the shared object, `view` the editor. Start with `model`."""

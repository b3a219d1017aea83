"""The registry: the folder of this node's own choices, by well-known keys."""

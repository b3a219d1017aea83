"""The page of an object that is not live: the stage with its tint, the island of the transport, and the list
of what changed. Start at `past_page`."""

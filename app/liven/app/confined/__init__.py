"""The program of a confined process that has views, and the person's settings for such processes."""

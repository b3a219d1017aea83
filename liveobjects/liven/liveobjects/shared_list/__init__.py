"""A shared list of lines. It has no view: other objects use it through its commands and events."""

"""The changes to an object while the window of a person was closed, out of the history that is kept of it."""

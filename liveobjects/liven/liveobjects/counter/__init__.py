"""A number that many count up and down: the smallest shared object, for authors to read first."""

"""A shared counter: the smallest shared object, for authors to read first. `object` is the counter, `view`
its view."""

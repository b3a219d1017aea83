"""Where the keys go when one begins to work in a view."""

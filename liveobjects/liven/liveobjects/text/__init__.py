"""A note that many write at once."""

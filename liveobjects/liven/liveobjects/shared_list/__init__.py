"""A list of lines that many write in."""

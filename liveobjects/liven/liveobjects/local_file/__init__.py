"""A file of this computer as an object: `object` reads, writes and watches it, `view` shows its name and
size."""

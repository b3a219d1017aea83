"""Files of this machine as objects."""

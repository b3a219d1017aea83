"""The folder view: what is in a folder, wherever that folder is."""

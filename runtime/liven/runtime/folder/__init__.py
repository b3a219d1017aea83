"""Folders: objects that give references for names. In memory, and on the file system."""

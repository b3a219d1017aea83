"""Folders: objects that return references for names, kept in memory or in the file system.

The type that all folders share is in `folder_type`; start there. Folders that several people share are
objects of channels, in the room above.
"""

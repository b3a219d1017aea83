"""The folder view: an object that shows any folder, shared or on a disk, as a client of the folder protocol.
Its view is the one of `folder`."""

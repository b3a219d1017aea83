"""The classes of libraries: where they are, how they are loaded, and who provides them, in the program or in
a confined process.

Fetching a library is in library/fetching. Start in class_provider.
"""

"""Every object that the user ever began: its file, title and last use, and deleting it with undo.

The start window lists them; `liven.app.program` notes what windows do. Start with `begun_objects`.
"""

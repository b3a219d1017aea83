"""Formats: pure functions from bytes to typed rows. Every bad row ends in a `RowFault`, never in an
exception.

`records` declares the types of the rows, `fields` reads single fields, and there is a module for each
format. Start with `format_table`, which finds a format by name.
"""

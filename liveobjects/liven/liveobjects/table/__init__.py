"""A table of figures or texts that changes as a whole, such as the result of a query.

`value` is the table as a value, `ordering` sorts its rows, `cell_text` writes them, `object` shows the tables
of a value stream, `view` paints them.
"""

"""Records in other programs' formats, both ways: JSON lines, CSV, Parquet and MCAP. `json_form` is a record
as JSON, which the others use for values.
"""

"""The commits of tables: where files lie, which ones belong to a table, and who may write."""

"""Sources of a replay: where its records come from. `source` is the interface; the others are a list in
memory, the segments of a recorder, Parquet files, and rows that another program writes while they are
played."""

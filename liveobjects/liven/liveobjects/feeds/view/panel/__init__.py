"""The panel of feeds: the table of recordings, and the ingest that it starts. Start at `feed_panel`."""

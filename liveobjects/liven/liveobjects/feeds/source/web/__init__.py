"""Sources from web servers: a document that is fetched again and again. Start with `http_poll`."""

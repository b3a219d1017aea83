"""References: recipes for building proxies. The model, its identity, and its XML (package `xml`)."""

"""References, libraries, registries, loading, proxies, endpoints, connections, dispatching."""

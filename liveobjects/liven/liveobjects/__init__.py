"""The built-in live objects. Each has a model without Qt, a proxy, and a view in a package or module
`view`."""

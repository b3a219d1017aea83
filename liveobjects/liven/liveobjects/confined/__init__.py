"""The views of objects that run in confined processes. The package `view` has both sides of the picture."""

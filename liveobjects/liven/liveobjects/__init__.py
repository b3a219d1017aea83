"""The stock of live objects, each a Qt-free model, a proxy and a view."""

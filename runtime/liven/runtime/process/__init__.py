"""Everything that one process needs to run objects, put together: what is installed, what is known of types,
the session, and running without a screen.

The parts themselves are in the other packages. Start with `session`.
"""

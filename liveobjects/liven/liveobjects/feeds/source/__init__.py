"""Sources: objects that bring rows from outside into value streams, from which feeds are recorded.

`formats` decodes bytes into typed rows, `generator` invents plausible ones. `file`, `web` and `broker` hold
the objects, which read in worker threads and never hold more than a bounded number of rows. Start with
`row_stream`, which all of them share.
"""

"""The live objects of one process: proxies, their endpoints, the connections between them and the event queue
that runs their handlers.

Loading objects from references is in `loader`; what a whole process needs is in `process`. Start with
`event_queue`, then `endpoint` and `connection`; `context` is what an author's code sees.
"""

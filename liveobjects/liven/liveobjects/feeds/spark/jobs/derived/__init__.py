"""Tables that are derived from the records of a feed: states at moments, sessions, gaps, minutes.

`tables` is the job; the other modules are functions from DataFrame to DataFrame, with their columns in
`schemas`. `joins` is for programs of your own. Start with `sessions`.
"""

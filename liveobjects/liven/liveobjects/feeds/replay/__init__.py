"""Replay: records of a feed are given again, at the speed and from the moment that a person chooses.

`player` is the engine, without clock and threads; `transport` drives it by a dispatcher. Records come from a
`source` (segments, Parquet files, rows that another program hands over) and go to a `target` (a sandbox, a
live channel, a log). Start reading with `player`; how feeds are recorded is described in `feeds/recorder`.
"""

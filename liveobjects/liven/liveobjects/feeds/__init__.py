"""Feeds: recorded output of live objects, kept in segments that can be read, exported and played again.

`record` is one recorded event, `feed_folder` says where feeds lie, `description` what a feed holds, `segment`
is the append-only log under all of it, `exchange` reads and writes other programs' formats. Start at
`record.py`.
"""

"""MCAP, the container of robotics tools (https://mcap.dev/spec): `wire` is its records as bytes,
`file_writer` and `file_reader` are files of any content, `mapping` says which record of a feed is which
message.
"""

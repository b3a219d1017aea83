"""The append-only log of one recorder: numbered files of columnar blocks, each taken whole or not at all.

`block_format` and `block` are the bytes, `writer` appends, `reader` reads while a writer appends, `recovery`
opens after a crash, `sealing`, `retention`, `verification` and `repair` care for old files. Reading needs
numpy alone; only `arrow` imports pyarrow. The format is described in docs/feeds-format.md.
"""

"""The care for old files of a log: `sealing` merges small blocks, `retention` deletes by size and age,
`verification` looks for damage, `repair` sets it aside. Appending is in the writer, opening after a crash in
`recovery`.
"""

"""`liven feeds replay`: plays a feed at a terminal or for a program. `command` has the arguments, `program`
puts source, target and player together, `keys` and `status_line` are the terminal. The engine itself is in
`liveobjects`.
"""

"""One program for each user: a second start hands its files to the program that runs already, over a local
socket.

Start at `client` (the second start) and `server` (the running program).
"""

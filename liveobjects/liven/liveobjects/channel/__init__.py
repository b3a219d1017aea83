"""Channels: replicated, ordered and grouped communication, on which every shared object stands.

`README.md` in this folder follows one operation from an object to the disk of every member; start there.
`composition.py` puts the channels of a process together, `builtin.py` lists the object types of this
package.
"""

"""The windows of the program, each showing one object, with its menus, panels, pages and messages.

The contents of a window are not here: every object has a view of its own, in `liveobjects`. Start at
`object_window`; `window_list` opens and closes windows."""

"""The windows of the program, each showing one object, with its menus, panels, pages and messages.

Not here: the contents of a window, which every object provides as a view of its own (in `liveobjects`), and
the list of open windows (`program.window_list`). Start at `object_window`.
"""

"""Controls over the contents of a window: the message, and over a desktop the mark with the menus, the sign
of problems and the button to share.

The desktop's own islands are in `liven.liveobjects.desktop.view.islands`. Start at `controls`.
"""

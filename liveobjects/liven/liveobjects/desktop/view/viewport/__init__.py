"""Which part of the plane you see: the camera, the viewport when a desktop opens, the saved one, the minimap
and the find bar.

Commands that zoom or pan are in tools/zoom_and_view. Start in camera.
"""

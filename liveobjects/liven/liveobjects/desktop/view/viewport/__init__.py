"""Which part of the plane you see: the viewport when a desktop opens, the saved one, the minimap and the
find bar.

The camera itself is in view/camera; commands that zoom or pan are in viewport/zoom_and_view. Start in
initial_viewport."""

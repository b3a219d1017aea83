"""The view of a window object: `window_view` paints it on a desktop, `panel` is the widget of an entered or
opened window.

The rules of a window and the object it runs are one package up.
"""

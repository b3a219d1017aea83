"""The inspector of a window: the running objects, their connections and the events between them.

It only reads the runtime's objects, which are in `liven.runtime.objects`. Start at `dock`.
"""

"""The view of a counter. Start with `counter_view`; `counter_face` paints it."""

from liven.liveobjects.counter.view.counter_view import CounterView, make

__all__ = ["CounterView", "make"]

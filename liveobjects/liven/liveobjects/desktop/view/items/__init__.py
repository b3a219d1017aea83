"""Everything that lies on the plane: views of running items, cards of items that do not run, connectors,
badges, shadows and the caches of their pictures.

Which items run is decided in desktop/running_items. Start in item_views.
"""

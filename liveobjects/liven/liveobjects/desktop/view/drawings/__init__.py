"""The look of drawings: shapes with their text, strokes of ink, the points that they cover, their choices.

Their data is in `desktop/drawings`, their tools are in `view/tools`. Start in `painting`."""

"""How drawings look: shapes with their text and strokes of ink, which points they cover, and their choices.

What a drawing is stands in desktop/drawings, the tools in view/tools. Start in painting."""

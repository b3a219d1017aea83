"""The shared folder: recipes by name, the same for all who have it open."""

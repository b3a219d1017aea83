"""The first desktop: a lesson of a minute, and where it is kept."""

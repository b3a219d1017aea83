"""Icons for kinds of objects, also for objects that do not run. `object_kind` finds the kind in a recipe;
`view` paints."""

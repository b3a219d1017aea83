"""A shared folder: recipes by name. `model` has the rules, `object` the shared folder, `view` the view of
any folder. The object that shows a folder elsewhere is in `folder_view`. Start with `state` and `model`."""

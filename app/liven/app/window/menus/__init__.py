"""The menus of a window, and what their entries do: files, lights, dialogs. Start at `menu_bar`."""

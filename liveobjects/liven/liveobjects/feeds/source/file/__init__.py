"""Sources from files of this computer: files that grow, and folders. Start with `csv_tail`.

`line_follower` and `folder_snapshot` read, in worker threads; `remembered` keeps positions between two
starts.
"""

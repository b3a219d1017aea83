"""Moving objects, pictures, files and text into a desktop, between its items, and out to other programs.

Reading and uploading pictures is done in image/view. Start in drop_and_paste.
"""

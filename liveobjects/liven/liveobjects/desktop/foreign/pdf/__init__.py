"""Pages of PDF files as pictures. PDFium draws them in a process of its own without rights, because it is a
large library and the files come from strangers. Start at `pages`; `page_process` is the other process.
"""

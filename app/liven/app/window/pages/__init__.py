"""The pages that stand in a window in place of its object, or over it until it is complete, and the bars
above it that ask or tell of progress. Start at `loading_page`.
"""

"""Documents, comparisons and scores kept up to date under edits, for any task."""

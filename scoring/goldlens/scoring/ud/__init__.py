"""Universal Dependencies: words aligned, columns compared, every metric counted."""

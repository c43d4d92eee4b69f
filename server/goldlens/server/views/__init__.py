"""What editors show of a document, as plain values: byte offsets, lines from 0, no protocol."""

"""Text classification: documents with one label, several, or scores for them."""

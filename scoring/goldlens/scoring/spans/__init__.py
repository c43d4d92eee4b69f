"""Labelled spans: files with a token a line and IOB2 tags."""

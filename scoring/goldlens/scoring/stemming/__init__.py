"""Stemming: which forms a stemmer keeps together, and apart, against groups that may overlap."""

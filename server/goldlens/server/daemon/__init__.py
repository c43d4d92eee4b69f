"""One process that serves everybody: editors, scripts and terminals of one workspace."""

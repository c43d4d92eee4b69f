"""CoNLL-U as text: reading blocks, trees, and the inventory of Universal Dependencies."""

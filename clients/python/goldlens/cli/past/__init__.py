"""What `goldlens check --against` is made of."""

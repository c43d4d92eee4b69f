"""What `goldlens watch` is made of."""

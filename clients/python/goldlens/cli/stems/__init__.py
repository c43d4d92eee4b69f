"""What `goldlens stem` is made of."""

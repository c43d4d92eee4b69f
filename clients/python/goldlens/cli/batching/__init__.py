"""What `goldlens batch` is made of."""

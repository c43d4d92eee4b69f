"""The command `goldlens`: a module a verb, each with no more imports than the verb needs."""

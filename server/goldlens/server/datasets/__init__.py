"""Data sets by name: registered with their hashes, fetched when a person asks, never bundled.

`registry` says what there is, `cached` where it lies and whether it is right, `fetching` brings it.
Only the command line fetches; a server takes what is there. `cached.path_of(name)` is the path of
a data set that is shipped with the registry, or None unless a right copy is in the cache.
"""

"""Use cases: one function per route, which decides from the items that were read and returns what to write."""

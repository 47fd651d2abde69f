"""Use cases: one function per route, which decides on what was read and returns what to write."""

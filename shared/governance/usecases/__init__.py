"""One function per route: load, decide, write."""

"""The store: the only package that knows the keys of the table, and the client that reads and writes it."""

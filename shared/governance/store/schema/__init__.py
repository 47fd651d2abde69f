"""The table: its indexes, the kinds of its items, their keys and the lists that they are in (ADR table).

Every key, sort-key prefix and index key is built in this package and nowhere else: `keys` has the vocabulary,
`entities` the kinds with their primary keys and their models, `ranges` the lists.

One table, two key attributes. A board is one partition, so that its lists are local indexes, which can be read
consistently. What crosses boards (a user's boards, the items assigned to a user) is a row in a partition of the user,
written in the same transaction as the item that it points at.

`rows.txt` has every partition with its sort keys and, as L1 to L4, the keys of an item in the indexes. It is made of
what is written (`python -m tests.store.test_stored_keys`).

A function's role may be limited to partitions, not to sort keys. So what a function writes that strangers reach is in
partitions of its own (ADR access).
"""

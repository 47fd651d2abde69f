"""The client of the table: signed requests over kept connections, without the SDK (ADR table-client).

Only `governance.store.dynamodb` makes one, and the errors are the only other part that the store knows.
"""

"""What tests share: a store engine with a fresh table, a client that sends API Gateway events, and test users."""

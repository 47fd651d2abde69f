"""What tests share: an engine with a fresh table, a client that speaks API Gateway events, people to act."""

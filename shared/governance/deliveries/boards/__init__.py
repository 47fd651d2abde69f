"""What an event changes at once of its board, what is cleaned up after a deletion, and what fills an example board."""

"""Paper requests: who is asked for a paper of a meeting, by when, and what came of it."""

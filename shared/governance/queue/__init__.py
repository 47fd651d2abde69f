"""The queues: the kinds of messages, a message, how they are sent, and the frame of the functions that take them."""

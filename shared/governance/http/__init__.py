"""Turns an API Gateway event into a call of a use case, and its outcome into a response."""

"""From an API Gateway event to a use case, and back to bytes."""

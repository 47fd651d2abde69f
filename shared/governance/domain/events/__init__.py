"""Events: one record for each kind declares what it says and all that follows from it (ADR history)."""

"""What an account has in one region and not in another."""

from __future__ import annotations

_SMALL = frozenset(
    {
        "af-south-1",
        "ap-south-2",
        "ap-southeast-3",
        "ap-southeast-4",
        "ap-southeast-5",
        "ap-southeast-7",
        "ca-west-1",
        "eu-central-2",
        "eu-south-1",
        "eu-south-2",
        "il-central-1",
        "me-central-1",
        "mx-central-1",
    }
)
"""The regions of which docs.aws.amazon.com/apigateway/latest/developerguide/limits.html says so (read in 2026-11)."""
SMALLEST, USUAL = 2_500, 10_000
"""Requests a second that API Gateway takes of an account, over all of its APIs and posts to connections."""


def requests_per_second(region: str) -> int:
    """Returns how many requests a second an account has in a region, where AWS has not raised the quota."""
    return SMALLEST if region in _SMALL else USUAL

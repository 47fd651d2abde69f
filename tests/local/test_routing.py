"""Which route of the HTTP API a request matches."""

import pytest

from infra.local.routing import select
from infra.stack.template import Route

ROUTES = [
    Route("ANY", "$default", "fallback"),
    Route("ANY", "/pets", "pets"),
    Route("ANY", "/pets/", "slash"),
    Route("ANY", "/pets/{petId}", "pet"),
    Route("GET", "/pets/{petId}", "pet_get"),
    Route("ANY", "/pets/rex", "rex"),
    Route("ANY", "/pets/{proxy+}", "anything"),
    Route("ANY", "/pets/{petId}/toys", "toys"),
    Route("ANY", "/pets/{petId}/toys/{proxy+}", "toys_below"),
]


@pytest.mark.parametrize(
    ("method", "path", "group"),
    [
        ("GET", "/pets", "pets"),
        ("GET", "/pets/", "slash"),
        ("POST", "/pets/1", "pet"),
        ("GET", "/pets/1", "pet_get"),
        ("GET", "/pets/rex", "rex"),
        ("GET", "/pets/1/toys", "toys"),
        ("GET", "/pets/1/toys/2/3", "toys_below"),
        ("GET", "/pets/1/beds", "anything"),
        ("GET", "/pets/1/toys/", "anything"),
        ("GET", "/", "fallback"),
        ("GET", "//pets", "fallback"),
        ("GET", "/PETS", "fallback"),
    ],
)
def test_the_most_specific_route_matches(method: str, path: str, group: str) -> None:
    match = select(ROUTES, method, path)
    assert match is not None
    assert match.route.group == group


def test_variables_are_decoded_segment_by_segment() -> None:
    match = select(ROUTES, "POST", "/pets/a%20b%2Fc")
    assert match is not None
    assert match.parameters == {"petId": "a b/c"}


def test_an_empty_segment_does_not_match_a_variable() -> None:
    match = select([Route("ANY", "/pets/{petId}/toys", "toys")], "GET", "/pets//toys")
    assert match is None

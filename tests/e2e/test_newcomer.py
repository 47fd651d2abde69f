"""A new user's first ten minutes, as the README has them, over HTTP against the deployed handlers."""

import pytest

from tests.e2e.conftest import Service

pytestmark = pytest.mark.slow


@pytest.fixture
def board(service: Service) -> str:
    """A new board that olivia owns."""
    created = service.call("POST", "/api/v1/boards", service.session("olivia"), {"name": "Newcomer"}).data["id"]
    assert isinstance(created, str)
    return created


def create_token(service: Service, path: str, **body: object) -> dict[str, str]:
    """Creates a token as olivia."""
    token = service.call("POST", path, service.session("olivia"), {"name": "laptop", "expiresInDays": 30, **body}).data
    assert isinstance(token, dict)
    return token


def test_the_documentation_is_served(service: Service) -> None:
    assert service.call("GET", "/docs").status == 200
    document = service.call("GET", "/openapi.json").json
    assert document["openapi"].startswith("3.1")
    assert "/api/v1/boards/{boardId}/meetings" in document["paths"]


def test_a_token_creates_lists_and_completes_meetings(service: Service, board: str) -> None:
    token = create_token(service, "/api/v1/me/tokens", preset="full_access")["secret"]
    meetings = f"/api/v1/boards/{board}/meetings"
    for day in range(1, 6):
        body = {"title": f"Day {day}", "status": "scheduled", "startTime": f"2031-01-0{day}T09:00:00Z"}
        assert service.call("POST", meetings, token, body).status == 201
    first = service.call("GET", f"{meetings}?limit=2&order=asc", token)
    assert [item["title"] for item in first.data] == ["Day 1", "Day 2"]
    cursor = first.json["meta"]["nextCursor"]
    second = service.call("GET", f"{meetings}?limit=3&order=asc&cursor={cursor}", token)
    assert [item["title"] for item in second.data] == ["Day 3", "Day 4", "Day 5"]
    assert second.json["meta"] == {"nextCursor": None, "hasMore": False}
    done = service.call("PATCH", f"{meetings}/{first.data[0]['id']}", token, {"status": "completed"}).data
    completed = service.call("GET", f"{meetings}?status=completed", token).data
    assert completed == [done]


def test_a_revoked_token_is_refused_on_the_next_call(service: Service) -> None:
    token = create_token(service, "/api/v1/me/tokens", preset="read_only")
    assert service.call("GET", "/api/v1/boards", token["secret"]).status == 200
    service.call("DELETE", f"/api/v1/me/tokens/{token['id']}", service.session("olivia")).data["deleted"]
    refused = service.call("GET", "/api/v1/boards", token["secret"])
    assert (refused.status, refused.error["code"]) == (401, "INVALID_API_TOKEN")

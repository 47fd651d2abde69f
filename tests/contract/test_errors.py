"""The error codes: each has a status and a message, and a request provokes it."""

from __future__ import annotations

from governance.errors import Code
from tests.harness import fault_injection
from tests.harness.actors import new_actors
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response, session


def test_every_code_has_a_status_and_a_message_of_its_own() -> None:
    assert all(400 <= code.status < 600 and code.message.endswith(".") for code in Code)
    assert len({code.message for code in Code}) == len(Code)


def provoked(scenario: BoardScenario) -> dict[str, Response]:
    """Returns a response for each code that a request can provoke."""
    owner, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    actors = new_actors()
    key = {"idempotency-key": "k"}
    owner.call("POST", meetings, {"title": "A"}, headers=key)
    meeting = owner.post(meetings, {"title": "A", "status": "completed"}).data["id"]
    owner.put(f"{meetings}/{meeting}/minutes", {"items": []})
    owner.patch(f"{meetings}/{meeting}", {"status": "finalized"})
    responses = {
        "INVALID_REQUEST_BODY": owner.post(meetings, {}),
        "INVALID_QUERY_PARAMETER": owner.get(meetings, limit=0),
        "UNAUTHENTICATED": Client().get("/api/v1/me"),
        "INVALID_API_TOKEN": Client("x").get("/api/v1/me"),
        "ACCOUNT_SUSPENDED": actors.clients["suspended"].get("/api/v1/me"),
        "ACCOUNT_INACTIVE": actors.clients["inactive"].get("/api/v1/me"),
        "FORBIDDEN": person("outsider").client.get(scenario.path),
        "RESOURCE_NOT_FOUND": owner.get(f"{meetings}/x"),
        "INVALID_INVITE_CODE": owner.put("/api/invite/join/x"),
        "METHOD_NOT_ALLOWED": owner.put(meetings),
        "CONFLICT": owner.patch(f"{meetings}/{meeting}", {"title": "B"}),
        "IDEMPOTENCY_CONFLICT": owner.call("POST", meetings, {"title": "B"}, headers=key),
        "PAYLOAD_TOO_LARGE": owner.call("POST", meetings, raw="x" * 262_145),
        "UNSUPPORTED_MEDIA_TYPE": owner.call("POST", meetings, raw="{}", headers={"content-type": "text/plain"}),
    }
    owner.put(f"{scenario.path}/minutes-signers", {"signers": [{"userId": scenario.owner.id, "role": "Chair"}]})
    earlier = Client(session(scenario.owner.email, auth_time=1))
    responses["FRESH_SESSION_REQUIRED"] = earlier.post(f"{meetings}/{meeting}/minutes/signatures")
    with fault_injection.throttled("*"):
        responses["SERVICE_UNAVAILABLE"] = owner.get(meetings)
    other = {"if-match": '"other"'}
    responses["PRECONDITION_FAILED"] = owner.call("PATCH", scenario.path, {"name": "A"}, headers=other)
    scenario.set_billing_state("CANCELLED")
    responses["BILLING_RESTRICTED"] = owner.post(meetings, {"title": "A"})
    return responses


def test_every_code_is_returned_in_the_envelope(scenario: BoardScenario) -> None:
    responses = provoked(scenario)
    elsewhere = {"RATE_LIMITED", "INTERNAL_ERROR", "NOT_ACCEPTABLE"}  # tests/http: rate_limit, logs, answer_sizes
    elsewhere |= {"NOT_OUR_FILE"}  # tests/minutes_file/test_signed_copies.py
    assert responses.keys() | elsewhere == Code.__members__.keys()
    for name, response in responses.items():
        if Code[name].bare:
            assert (response.status, response.json["code"]) == (Code[name].status, name)
            continue
        error = response.json["error"]
        assert (response.status, error["code"], error["status"]) == (Code[name].status, name, Code[name].status)
        assert error.keys() == {"code", "message", "status", "requestId", "details"}
        assert error["requestId"] == response.headers["x-request-id"]

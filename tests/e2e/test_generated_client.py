"""What a user of the API does with a client generated from openapi.json: create, list, page, read errors."""

import asyncio
from typing import Any

import pytest

from tests.e2e.conftest import Service
from tests.harness.generated_client import GeneratedClient

pytestmark = pytest.mark.slow
NOBODY = "0" * 24


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> GeneratedClient:
    return GeneratedClient(tmp_path_factory.mktemp("client"))


class Api:
    """The generated client, signed in to a running service; each call has a connection of its own."""

    def __init__(self, generated: GeneratedClient, url: str, token: str) -> None:
        self._generated = generated
        self._options = {"base_url": url, "token": token, "raise_on_unexpected_status": True}
        self.models: Any = generated.module("models")

    @property
    def _client(self) -> Any:
        return self._generated.module("client").AuthenticatedClient(**self._options)

    def _operation(self, name: str) -> Any:
        return self._generated.module(f"api.{name}")

    def detailed(self, operation: str, *path: str, **arguments: Any) -> Any:
        """The response of an operation, with its status."""
        with self._client as client:
            return self._operation(operation).sync_detailed(*path, client=client, **arguments)

    def call(self, operation: str, *path: str, **arguments: Any) -> Any:
        """The parsed body of an operation's response."""
        with self._client as client:
            return self._operation(operation).sync(*path, client=client, **arguments)

    async def awaited(self, operation: str, *path: str, **arguments: Any) -> Any:
        """The same, asynchronously."""
        async with self._client as client:
            return await self._operation(operation).asyncio(*path, client=client, **arguments)


@pytest.fixture
def api(generated: GeneratedClient, service: Service) -> Api:
    return Api(generated, service.url, service.session("olivia"))


@pytest.fixture
def board(api: Api) -> str:
    made = api.call("boards.create_board", body=api.models.BoardCreate(name="Generated"))
    assert made.data.my_role == api.models.AdminRole.OWNER
    return str(made.data.id)


def test_what_was_created_is_listed(api: Api, board: str) -> None:
    models = api.models
    body = models.MeetingCreate(title="First", status=models.InitialMeetingStatus.SCHEDULED)
    answer = api.detailed("meetings.create_meeting", board, body=body, idempotency_key="first")
    assert (answer.status_code, answer.parsed.data.start_time) == (201, None)
    again = api.detailed("meetings.create_meeting", board, body=body, idempotency_key="first")
    assert again.headers["idempotent-replayed"] == "true"
    assert again.parsed == answer.parsed
    assert api.call("meetings.list_meetings", board).data == [answer.parsed.data]
    (entry,) = api.call("audit.list_audit_entries", board)
    assert entry.action == models.AuditAction.MEETINGCREATE


def test_a_list_is_paged_to_its_end(api: Api, board: str) -> None:
    for number in range(5):
        api.call("reports.create_report", board, body=api.models.ReportCreate(title=f"Report {number}"))
    titles, cursor = [], api.models.PageMeta.from_dict({"nextCursor": None, "hasMore": True})
    while cursor.has_more:
        after = {"cursor": cursor.next_cursor} if cursor.next_cursor else {}
        page = api.call("reports.list_reports", board, limit=2, order=api.models.SortOrder.ASC, **after)
        titles += [report.title for report in page.data]
        cursor = page.meta
    assert titles == [f"Report {number}" for number in range(5)]
    assert cursor.next_cursor is None


def test_every_error_is_read_as_one_kind_of_thing(
    generated: GeneratedClient, service: Service, api: Api, board: str
) -> None:
    models = api.models
    unknown = Api(generated, service.url, "svc_pat_wrong").detailed("account.get_whoami")
    absent = api.detailed("boards.get_board", NOBODY)
    refused = api.detailed("boards.create_board", body=models.BoardCreate(name=" "))
    wrong = api.detailed("meetings.get_meeting", board, NOBODY)
    codes = models.ErrorCode
    refusals = [(answer.status_code, answer.parsed.error.code) for answer in (unknown, absent, refused, wrong)]
    assert refusals == [
        (401, codes.INVALID_API_TOKEN),
        (404, codes.RESOURCE_NOT_FOUND),
        (400, codes.INVALID_REQUEST_BODY),
        (404, codes.RESOURCE_NOT_FOUND),
    ]
    assert isinstance(absent.parsed, models.Error)
    assert refused.parsed.error.details.fields.to_dict().keys() == {"name"}
    assert absent.parsed.error.request_id == absent.headers["x-request-id"]


def test_whoami_tells_its_three_shapes_apart(generated: GeneratedClient, service: Service, api: Api) -> None:
    assert isinstance(api.call("account.get_whoami"), api.models.JwtWhoami)
    for owner, shape in (("users", api.models.ApiTokenWhoami), ("boards", api.models.BoardTokenWhoami)):
        token = service.demo[owner][0]["token"]
        assert isinstance(Api(generated, service.url, token).call("account.get_whoami"), shape)


def test_the_asynchronous_client_does_the_same(api: Api) -> None:
    assert asyncio.run(api.awaited("boards.list_boards")) == api.call("boards.list_boards")

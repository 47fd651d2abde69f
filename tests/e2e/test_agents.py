"""Agents against the running service: the Python and the TypeScript client of MCP, and a working day of an agent."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client, ConnectMode
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

from infra.stack.template import ROOT
from tests.e2e.conftest import Service
from tests.harness.programs import packages, program

pytestmark = pytest.mark.slow
CLIENTS = ROOT / "tests/mcp/clients"
REVISIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


@asynccontextmanager
async def connected(service: Service, credential: str, mode: ConnectMode = "auto") -> AsyncIterator[Client]:
    """Connects a client of the Python SDK with a credential."""
    headers = {"authorization": f"Bearer {credential}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{service.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def run(service: Service, credential: str, talk: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    async def main() -> None:
        async with connected(service, credential, mode) as client:
            await talk(client)

    asyncio.run(main())


def _only_text(contents: Sequence[object]) -> str:
    """Returns the text of the only content."""
    (content,) = contents
    assert isinstance(content, TextContent | TextResourceContents)
    return content.text


@pytest.mark.parametrize("mode", REVISIONS)
def test_the_python_client_lists_calls_and_reads(mode: str, service: Service) -> None:
    async def talk(client: Client) -> None:
        assert client.session.protocol_version == REVISIONS[mode]
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert {"get_whoami", "list_boards", "vote_on_slot"} <= {*names}
        boards = await client.call_tool("list_boards", {})
        assert {board["name"] for board in boards.structured_content["data"]} >= {"Northwind Robotics"}
        refused = await client.call_tool("get_board", {"boardId": "unknown"})
        assert refused.is_error
        with pytest.raises(MCPError, match="boardId is required"):
            await client.call_tool("get_board", {})
        resources = (await client.list_resources()).resources
        definition = _only_text((await client.read_resource(resources[0].uri)).contents)
        assert f"kpi://{json.loads(definition)['rogueId']}" == str(resources[0].uri)
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "kpi://{rogueId}"

    run(service, service.session("olivia"), talk, mode)


@pytest.mark.parametrize("mode", REVISIONS)
def test_the_typescript_client_lists_calls_and_reads(mode: str, service: Service) -> None:
    packages(CLIENTS)
    command = [program("node"), "agent.mjs", f"{service.url}/mcp", service.session("olivia"), mode]
    done = subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["version"] == REVISIONS[mode]
    assert {"get_whoami", "list_boards", "vote_on_slot"} <= {*said["tools"]}
    assert "Northwind Robotics" in said["boards"]
    assert said["refused"] is True
    assert said["badArguments"] == -32602
    assert said["resources"] > 100
    assert said["definition"]


class Secretary:
    """An agent that works on a board by calling tools, as a model would from their descriptions."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def use(self, tool: str, /, **arguments: Any) -> Any:
        """Calls a tool; returns the data of its answer, or the answer itself if it is bare."""
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        answer: Any = result.structured_content
        assert json.loads(_only_text(result.content)) == answer
        return answer.get("data", answer)

    async def define(self, kpi: str) -> Any:
        return json.loads(_only_text((await self._client.read_resource(f"kpi://{kpi}")).contents))


def test_an_agent_does_the_work_of_a_day(service: Service) -> None:
    """Finds the next meeting, proposes slots, votes, confirms, assigns a task, and looks up a report's figures."""
    run(service, service.session("olivia"), _working_day)


async def _working_day(client: Client) -> None:
    agent = Secretary(client)
    assert (await agent.use("get_whoami"))["email"] == "olivia@example.com"
    (board,) = [board["id"] for board in await agent.use("list_boards") if board["name"] == "Northwind Robotics"]
    upcoming = await agent.use("list_meetings", boardId=board, order="asc", startAfter="2026-11-01T00:00:00Z", limit=5)
    assert all(meeting["startTime"] for meeting in upcoming)

    may = await agent.use(
        "evaluate_access",
        action={"name": "createMeeting"},
        resource={"type": "route", "id": f"/api/v1/boards/{board}/meetings"},
    )
    assert may == {"decision": True, "context": None}
    meeting = await agent.use("create_meeting", boardId=board, title="Strategy day", status="scheduled")
    place = {"boardId": board, "meetingId": meeting["id"]}
    starts = ("2099-03-02T09:00:00Z", "2099-03-03T09:00:00Z")
    slots = [await agent.use("create_slot", **place, startTime=start, timezone="Europe/Paris") for start in starts]
    await agent.use("vote_on_slot", **place, slotId=slots[1]["id"], vote="challenging", comment="Late train")
    proposed = await agent.use("list_slots", **place)
    votes = {
        slot["id"]: [vote["vote"] for vote in slot["feedbacks"] if vote["userId"] == meeting["createdByUserId"]]
        for slot in proposed
    }
    assert votes == {slots[0]["id"]: ["ok"], slots[1]["id"]: ["challenging"]}
    booked = await agent.use("confirm_slot", **place, slotId=slots[0]["id"])
    assert booked["startTime"] == "2099-03-02T09:00:00.000Z"

    members = await agent.use("list_members", boardId=board)
    (colin,) = [member["userId"] for member in members if member["email"] == "colin@example.com"]
    task = await agent.use("create_action_item", **place, title="Send the agenda", assigneeUserId=colin)
    assert [item["_id"] for item in await agent.use("list_meeting_action_items", **place)] == [task["_id"]]

    reports = await agent.use("list_reports", boardId=board)
    boards = [await agent.use("list_dashboards", boardId=board, reportId=report["id"]) for report in reports]
    fields = [field for page in boards for entry in page for field in (entry["uniform"] or {}).get("fields", [])]
    named = {field["rogueId"] for field in fields} - {None}
    assert named
    for kpi in named:
        assert (await agent.define(kpi))["rogueId"] == kpi
    assert (await agent.use("delete_meeting", **place)) == {"deleted": True}

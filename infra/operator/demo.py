"""`boardctl demo`: what there is to try in the demo data of `make run`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from infra.operator import curl_examples
from infra.stack import env_file

AGENT_GROUPS = ("account", "action_items", "boards", "documents", "meetings")
"""The groups whose tools an agent is offered first: many clients take 128 tools at most."""


@click.command()
def demo() -> None:
    """Print the demo users with their sessions and tokens, calls to try, and the configuration of an agent."""
    state = env_file.state_of_service()
    known = env_file.read_demo(state)
    root = env_file.read(state / "env").get("ROOT_URL", "")
    if not root or not known:
        raise click.ClickException("There are no demo data. Start the service on this machine with `make run`.")
    click.echo(demo_text(root, known))


def demo_text(root: str, data: Mapping[str, Any]) -> str:
    """Returns what can be tried at a root URL with the ids and credentials of the demo data."""
    lines = []
    for user in data.get("users", []):
        lines += [f"{user['name']} <{user['email']}> ({user['role']})"]
        lines += [f"  {kind:8} {user[kind]}" for kind in ("session", "token") if user.get(kind)] + [""]
    for board in data.get("boards", []):
        lines += [f"Board {board['name']} {board['id']}", f"  token    {board['token']} ({board['preset']})", ""]
    lines += ["Try it:", f"  {_example_call(root, data)}", *curl_examples.commands(root, data)]
    return "\n".join([*lines, "", "Connect an agent (the configuration of an MCP client):", f"  {_agent(root, data)}"])


def _bearer(data: Mapping[str, Any]) -> str:
    first = (data.get("users") or [{}])[0]
    return str(first.get("token") or first.get("session") or "<access token>")


def _example_call(root: str, data: Mapping[str, Any]) -> str:
    """Returns a curl command that works without changes."""
    return f"curl -H 'Authorization: Bearer {_bearer(data)}' {root}/api/v1/boards"


def _agent(root: str, data: Mapping[str, Any]) -> str:
    """Returns the configuration with which an MCP client connects as the first demo user, in one line."""
    headers = {"Authorization": f"Bearer {_bearer(data)}"}
    server = {"type": "http", "url": f"{root}/mcp?groups={','.join(AGENT_GROUPS)}", "headers": headers}
    return json.dumps({"mcpServers": {"board-governance": server}})

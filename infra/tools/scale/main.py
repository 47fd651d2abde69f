"""`make scale`: what requests cost at the store at four sizes, and a month's bill; writes infra/tools/scale/scale.md.

It needs DynamoDB Local (`make dynamodb-local`), which reports capacity units.
"""

from __future__ import annotations

import json
import sys
import time
from contextvars import copy_context
from pathlib import Path
from typing import Any

from governance.limits import CHECKED_DASHBOARDS
from governance.settings import settings
from infra.local.edge import Handle
from infra.local.event import HttpRequest
from infra.local.gateway import Gateway
from infra.local.service import published, service
from infra.stack.sessions import sign_session
from infra.stack.template import Template
from infra.tools.scale import bill, engine
from infra.tools.scale.figures import answer_with_formulas
from infra.tools.scale.meter import Cost, metered
from infra.tools.scale.prices import DOLLARS
from infra.tools.scale.rows import ROWS, Row
from infra.tools.scale.world import Send, World
from infra.tools.scale.writes import counted_writes

SIZES = (10, 100, 1_000, 10_000)
_WRITTEN = Path(__file__).with_name("scale.md")
_SUCCESS = (200, 201)

_GATEWAY, _INVOCATION, _READ_UNIT, _WRITE_UNIT = (
    DOLLARS[f"million {what}"] for what in ("requests of the API", "invocations", "read units", "write units")
)
_INTRODUCTION = """\
# Scale

{when} UTC, {seconds:.0f} seconds; DynamoDB Local. Read units are those that the engine reports. Write units are
computed from the items before and after, with their copies in indexes and twice for the transaction, because the
engine reports fewer. KB are those of the store's answers to reads and of the requested transactions, as JSON; the last
KB are those of the items of one transaction at most, which the store limits to 4,000. The leases of the rate limit are
left out. A request is sent once before it is measured. Dollars are those of a million such requests at list prices of
us-east-1: the units, the HTTP API and the invocations, without compute time and the edge, which the runbook adds.

A page has ten entries. A size with `*` is beyond what the service allows; its rows are in the store only. Where an
answer needs every entry, the largest size is what the service allows: a vote and a new slot are answered with every
member, and a guest's view counts their votes (some 150 bytes of each are read); the pending invites are answered with
every board, and a calendar feed with up to a thousand events. A changed dashboard is answered whole, so it is read
whole. Each committee of a member has lists of its own, which are read at the same time, and a page's worth of each. A
deleted report is deleted with its dashboards, in transactions of a megabyte at most. A change of a figure is checked
against the figures of the first {checked} dashboards of its report that state any. The engine reports no units for a
query that finds nothing, where DynamoDB takes one: add one for each month and list of the feed and the audit log that
is empty.

| request | grows | size | calls | read units | write units | KB read | KB written | KB in one transaction | dollars |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""
_BILL = """\
## A month's bill

What grows with people rather than requests (ADR growth), at the prices of `prices.json`.
"""


def sizes(row: Row) -> list[int]:
    """Returns the sizes to measure: up to what the service allows where the answer lists every entry."""
    if row.sizes:
        return [*row.sizes]
    most = row.limit if row.entry_bytes and row.limit else max(SIZES)
    return sorted({min(size, most) for size in SIZES})


def measure(row: Row, world: World, size: int) -> Cost:
    """Returns what a request of the row costs at this size; it is sent once before."""
    request = row.prepare(world, size)
    request()
    with metered() as cost, counted_writes(cost):
        request()
    return cost


def line(row: Row, size: int, cost: Cost) -> str:
    """Returns a line of the table."""
    shown = f"{size:,}{'*' if row.limit is not None and size > row.limit else ''}"
    units = f"{cost.read_units:.0f} | {cost.write_units:.0f}"
    sizes = f"{cost.bytes_read / 1000:.1f} | {cost.bytes_written / 1000:.1f} | {cost.largest_transaction / 1000:.1f}"
    price = _GATEWAY + _INVOCATION + cost.read_units * _READ_UNIT + cost.write_units * _WRITE_UNIT
    return f"| {row.name} | {row.grows} | {shown} | {cost.calls} | {units} | {sizes} | {price:.2f} |\n"


def sender(handle: Handle, session: str) -> Send:
    """Returns how the user of a session sends requests."""
    headers = [("host", "bench.example.com"), ("authorization", f"Bearer {session}")]
    headers.append(("content-type", "application/json"))

    def send(method: str, target: str, body: Any) -> str:
        sent = b"" if body is None else json.dumps(body).encode()
        request = HttpRequest(method, target, headers, sent)
        response = copy_context().run(handle, request)  # its deadline is not that of what is prepared after it
        if response.status not in _SUCCESS:
            raise RuntimeError(f"{method} {target}: {response.status} {response.body!r}")
        return response.body.decode()

    return send


def report(measured: str, seconds: float) -> str:
    """Returns what is written down: the table's lines with what they mean, and the bill."""
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    introduction = _INTRODUCTION.format(when=when, seconds=seconds, checked=CHECKED_DASHBOARDS)
    return f"{introduction}{measured}\n{_BILL}\n{bill.table()}"


def main() -> int:
    """Measures all rows at all sizes, prints the table and the bill, and writes them down."""
    started = time.monotonic()
    lines = ""
    with engine.running():
        answer_with_formulas()
        handle = service(Gateway(Template()).handle, published({}), origin_secret=settings().origin_secrets[0])
        world = World(lambda email: sender(handle, sign_session(settings(), email, "", "")))
        for row in ROWS:
            for size in sizes(row):
                measured = line(row, size, measure(row, world, size))
                print(measured, end="", flush=True)
                lines += measured
    print(f"\n{bill.table()}")
    _WRITTEN.write_text(report(lines, time.monotonic() - started), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

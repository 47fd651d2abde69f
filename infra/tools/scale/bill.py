"""Prints a month's bill by what dominates it: `python -m infra.tools.scale.bill`.

The prices are in `prices.json`, with their date and sources. `tests/contract/test_bill.py` holds the counts of a ping
against what it does. What no request causes (`infra/deployment/costs.py`) and the requests themselves are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from infra.tools.scale.prices import DOLLARS

SIZES = (100, 10_000, 100_000)
"""Boards of an installation."""
MEMBERS, HOURS, DAYS = 10, 8, 30
"""Members of a board, who are signed in for so many hours on so many days of a month, with a page open."""
PING_MINUTES = 9
PING_MESSAGES, PING_READS = 2, 2
"""What a ping is: it and its answer; the read units of connection and user."""
_PING_SECONDS = 0.030
_MAILS, _REQUESTS = 200, 9_900
_PAPERS_GB, _HISTORY_GB = 4.0, 0.02
"""Of a board and month: mails, requests with calendars' polls, papers that its members read, and what is added."""


@dataclass(frozen=True)
class Line:
    """A line of the bill: what it is for, and dollars a month for each board."""

    what: str
    of_board: float


def page_hour() -> float:
    """Returns the dollars of an hour of an open page in which nothing happens."""
    ping = (
        PING_MESSAGES * DOLLARS["million messages"]
        + DOLLARS["million invocations"]
        + _PING_SECONDS * DOLLARS["million seconds of a function"]
        + PING_READS * DOLLARS["million read units"]
    )
    return (60 * DOLLARS["million connection minutes"] + 60 / PING_MINUTES * ping) / 1e6


def lines() -> list[Line]:
    """Returns the lines of the bill."""
    return [
        Line("idle open pages", MEMBERS * HOURS * DAYS * page_hour()),
        Line("papers read", _PAPERS_GB * DOLLARS["GB to readers"]),
        Line("mails", _MAILS * DOLLARS["thousand mails"] / 1e3),
        Line("history", _HISTORY_GB * DOLLARS["GB stored a month"]),
        Line("firewall", _REQUESTS * DOLLARS["million requests checked"] / 1e6),
    ]


def table() -> str:
    """Returns the bill as a Markdown table, a column for each size."""
    head = ["dollars a month", *(f"{size:,} boards" for size in SIZES)]
    rows = [[line.what, *(f"{line.of_board * size:,.0f}" for size in SIZES)] for line in lines()]
    rows.append(["an open idle page, an hour", *[f"{page_hour():.6f}"] * len(SIZES)])
    rule = ["---", *["--:"] * len(SIZES)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


if __name__ == "__main__":
    print(table())

"""Prints a month's bill by what dominates it: `python -m infra.tools.scale.bill`, and at the end of `make scale`.

The prices are in `prices.json`, with their date and sources. `tests/contract/test_bill.py` holds the counts of a ping
and of an absence against what they do. What no request causes (`infra/deployment/costs.py`) and the requests themselves
are not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from infra.tools.scale.prices import DOLLARS, to_readers

SIZES = (100, 10_000, 100_000)
"""Boards of an installation."""
MEMBERS, HOURS, DAYS = 10, 8, 30
"""Members of a board, who are signed in for so many hours on so many days of a month, with a page open."""
SHOWN_HOURS, ABSENCES = 2, 2
"""Assumed, and measured nowhere: hours of those on the screen, and absences that outlast the connection."""
PING_MINUTES = 9
"""Silence after which a page on the screen pings, and one that is not ends its connection."""
_MAILS, _REQUESTS = 200, 9_900
_PAPERS, _PAPERS_GB, _HISTORY_GB = 2_000, 4.0, 0.02
"""For a board and a month: mails, requests with calendars' polls, papers that its members read, and what is added."""


@dataclass(frozen=True)
class Usage:
    """What something takes: requests of the API, messages of the live channel, invocations, seconds, units."""

    requests: int = 0
    messages: int = 0
    invocations: int = 0
    seconds: float = 0.0
    reads: int = 0
    writes: int = 0

    def dollars(self) -> float:
        """Returns what it costs at list prices."""
        prices = {
            "requests of the API": self.requests,
            "requests checked": self.requests,
            "messages": self.messages,
            "invocations": self.invocations,
            "seconds of a function": self.seconds,
            "read units": self.reads,
            "write units": self.writes,
        }
        return sum(DOLLARS[f"million {what}"] * count for what, count in prices.items()) / 1e6


PING = Usage(messages=2, invocations=1, seconds=0.030, reads=2)
"""A ping and its answer; connection and user are read."""
RETURN = Usage(requests=1, messages=2, invocations=4, seconds=0.200, reads=16, writes=41)
"""The end of a connection and the next one: ticket, handshake and room, with what the audit log says of them."""
READ_AGAIN = Usage(requests=3, invocations=3, seconds=0.090, reads=9)
"""What the page shows is asked for with its tags: three resources, as in a view of a meeting."""
_MINUTE = DOLLARS["million connection minutes"] / 1e6


@dataclass(frozen=True)
class Line:
    """A line of the bill: what it is for, and dollars a month for a number of boards."""

    what: str
    dollars: Callable[[int], float]


def shown_hour() -> float:
    """Returns the dollars of an hour of a page that is on the screen all the time, in which nothing happens."""
    return 60 * _MINUTE + 60 / PING_MINUTES * PING.dollars()


def absence() -> float:
    """Returns the dollars of an absence that outlasts the connection: until its end, and coming back."""
    return PING_MINUTES * _MINUTE + RETURN.dollars() + READ_AGAIN.dollars()


def page_hour() -> float:
    """Returns the dollars of an hour of an open page in which nothing happens, as the mean of a day as assumed."""
    return (SHOWN_HOURS * shown_hour() + ABSENCES * absence()) / HOURS


def lines() -> list[Line]:
    """Returns the lines of the bill."""
    page, mail = MEMBERS * HOURS * DAYS * page_hour(), DOLLARS["thousand mails"] / 1e3
    checked, stored = DOLLARS["million requests checked"] / 1e6, DOLLARS["GB stored a month"]
    asked = DOLLARS["million requests of the CDN"] / 1e6 + checked
    return [
        Line("idle open pages", lambda boards: boards * page),
        Line("papers read", lambda boards: to_readers(boards * _PAPERS_GB) + boards * _PAPERS * asked),
        Line("mails", lambda boards: boards * _MAILS * mail),
        Line("history", lambda boards: boards * _HISTORY_GB * stored),
        Line("firewall", lambda boards: boards * _REQUESTS * checked),
    ]


def table() -> str:
    """Returns the bill as a Markdown table, a column for each size, and what an open page costs below it."""
    head = ["dollars a month", *(f"{size:,} boards" for size in SIZES)]
    rows = [[line.what, *(f"{line.dollars(size):,.0f}" for size in SIZES)] for line in lines()]
    rule = ["---", *["--:"] * len(SIZES)]
    bill = "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
    return f"{bill}\n\n{_assumption()}"


_ASSUMPTION = """\
An open idle page costs {page:.6f} an hour. Assumed for it, and measured nowhere: of {hours} hours a day it is on
the screen for {shown}, at {shown_hour:.6f} each, and away {absences} times for longer than {minutes} minutes, at
{absence:.6f} each time, however long. A shorter absence costs what the time on the screen does.
"""


def _assumption() -> str:
    return _ASSUMPTION.format(
        page=page_hour(),
        hours=HOURS,
        shown=SHOWN_HOURS,
        shown_hour=shown_hour(),
        absences=ABSENCES,
        minutes=PING_MINUTES,
        absence=absence(),
    )


if __name__ == "__main__":
    print(table())

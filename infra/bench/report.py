"""The results as tables: the goals, and the measurements that they are ratios of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from infra.bench import goals
from infra.bench.contestants import CONTESTANTS
from infra.bench.results import Results
from infra.bench.scenario import CREDENTIALS, ROUTES, case

_NOTES = """## How to read this

Milliseconds differ from machine to machine; compare ratios within one run, in which all contestants take turns.

- **Contestants.** Each answers the routes that it is measured on, and no others, which favours the peers' cold starts.
  Before anything is measured, all are sent the same requests: they return the same resources, and 401 for the same
  credentials.
- **Credentials.** Every contestant verifies RS256 sessions with PyJWT against the issuer's key set, fetched once from a
  loopback port and then cached, and personal tokens by checksum, digest, expiry and revocation.
- **Floor.** Routing and items by hand on boto3, PyJWT and cryptography, compiled. It leaves out what only ours does:
  rate limits, idempotency keys, strict JSON, sealed cursors, roles and scopes, structured logs, metrics, and the time
  at which a token was last used.
- **Byte code.** `sam build` compiles nothing, so FastAPI's package has none; Powertools' gets it, because its goal is
  the harder one. The runtime's own SDK, which the floor and FastAPI use, is compiled.
- **Warm total.** Processor time of all threads, store calls included. The SDK takes most of it for everyone. Ours is
  ahead where many items are read: its SDK passes items on as JSON, while the others' SDK walks over every attribute.
- **Capacity.** As DynamoDB Local reports it, plus two write units for each condition check of a transaction, which it
  does not report. Ours also adds one write unit to every sixtieth request of a principal for rate limits (0.017 a
  request), and one per minute for a token's last use. `scale.md` has what lists and writes cost at four sizes.
- **Requests per second.** `make run` also leads each request through its models of the CDN, the firewall and the
  gateway, which take about a seventh of its time; FastAPI has nothing of the kind before it."""


def text(results: Results, heading: str) -> str:
    """Returns the whole report."""
    parts = {
        "Goals": _goals(results),
        "Cold start in the Lambda runtime (milliseconds of INIT)": _cold(results),
        "Warm requests, store included (microseconds)": _warm(results),
        "Store calls and capacity units": _capacity(results),
        "Requests per second on this machine, get-one with a token, 32 clients": _rates(results),
    }
    return "\n\n".join([heading, *(f"## {name}\n\n{part}" for name, part in parts.items()), _NOTES]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table in Markdown; all columns but the first are right-aligned."""
    lines = [f"| {' | '.join(head)} |", f"|---{'|--:' * (len(head) - 1)}|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines)


def _goals(results: Results) -> str:
    rows = [(one.name, f"{one.value:.2f}", one.goal, "yes" if one.met else "**no**") for one in goals.figures(results)]
    return table(("figure", "reached", "goal", "met"), rows)


def _cold(results: Results) -> str:
    rows = [(name, f"{median(init):.0f}", f"{max(init):.0f}") for name, init in results.cold.items()]
    return table(("", "median", "worst"), rows)


def _warm(results: Results) -> str:
    rows = []
    for credential in CREDENTIALS:
        for one in CONTESTANTS:
            times = [results.live.get((one.name, case(route, credential))) for route in ROUTES]
            cells = [(f"{t.wall_median:.0f}", f"{t.cpu_median:.0f}") if t else ("", "") for t in times]
            rows.append((case(one.name, credential), *(cell for pair in cells for cell in pair)))
    head = ("", *(f"{route} {what}" for route in ROUTES for what in ("time", "CPU")))
    return table(head, (row for row in rows if any(row[1:])))


def _capacity(results: Results) -> str:
    """Returns a row for each case and the contestants that take the same calls and units for it."""
    rows: dict[tuple[object, ...], list[str]] = {}
    for (name, route), used in results.capacity.items():
        figures = len(used.calls), used.read, used.write, ", ".join(sorted(used.calls))
        rows.setdefault((route, *figures), []).append(name)
    head = ("", "contestants", "calls", "read units", "write units", "which")
    return table(head, [(row[0], ", ".join(names), *row[1:]) for row, names in rows.items()])


def _rates(results: Results) -> str:
    rows = [(name, f"{median(rates):.0f}") for name, rates in results.rates.items()]
    return table(("", "median"), rows)

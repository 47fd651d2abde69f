"""The results as tables: every figure with the ratio that it is judged by, and the cost of a million requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from infra.bench import goals
from infra.bench.results import FLOOR, OURS, WARM, Results
from infra.bench.scenario import CREDENTIALS, ROUTES, case
from infra.bench.warm import Capacity, Times

_LEASE = round(1 / 60, 3)
"""Write units per request of ours for rate limits, at the limit that is deployed; the benchmark has no limit."""

# List prices in US dollars, us-east-1, arm64: the inputs of the cost table.
GATEWAY_PER_MILLION = 1.00
INVOCATION_PER_MILLION = 0.20
GIGABYTE_SECOND = 0.0000133334
MEMORY_GB = 1.0
READ_UNIT_PER_MILLION = 0.125
WRITE_UNIT_PER_MILLION = 0.625

_NOTES = """## How to read this

Milliseconds differ from machine to machine; compare ratios within one run, in which all contestants take turns.

- **Credentials.** Every contestant verifies RS256 sessions with PyJWT against the issuer's key set, fetched once from a
  loopback port and then cached, and personal tokens by checksum, digest, expiry and revocation. Before anything is
  measured, all contestants are sent the same requests: they return the same resources, and 401 for the same
  credentials.
- **Floor.** Routing and items by hand on boto3, PyJWT and cryptography, compiled. It leaves out what only ours does:
  rate limits, idempotency keys, strict JSON, sealed cursors, roles and scopes, structured logs, metrics, and the time
  at which a token was last used.
- **Byte code.** The peers ship none, because `sam build` compiles nothing; the rows "+ byte code" show them with it.
  The runtime's own SDK, which the floor and FastAPI use, is compiled.
- **First response.** From the event that starts an execution environment to its response, start included; with a
  session it includes fetching the key set.
- **Warm total.** Processor time of all threads, store calls included. The SDK takes most of it for everyone. Ours is
  ahead where many items are read: its SDK passes items on as JSON, while the others' SDK walks over every attribute.
- **CPU without the SDK.** A row without a goal: a floor that takes a few dozen microseconds beside PyJWT shows how much
  of the rest is PyJWT. Ours also converts and validates every item, writes a log line and reads ranges in threads,
  which saves the time of a call in the cloud and counts as processor time here.
- **Capacity.** As DynamoDB Local reports it, plus two write units for each condition check of a transaction, which it
  does not report. Ours adds one write unit to every sixtieth request of a principal for rate limits, which is included,
  and one per minute for a token's last use, which is not.
- **Cost.** Gateway, invocation, the median duration of a warm request on this machine at 1 GB, and units; without logs
  and cold starts."""


def text(results: Results, heading: str) -> str:
    """Returns the whole report."""
    parts = {
        "Goals": _goals(results),
        "Cold start in the Lambda runtime (milliseconds)": _cold(results),
        "Warm requests, store included (microseconds)": _warm(results.live),
        "Warm requests, without the SDK (microseconds)": _warm(results.canned),
        "Instructions of a warm request, without the SDK (and relative to the floor's)": _instructions(results),
        "Store calls and capacity units": _capacity(results),
        "The same page of 25, as the board grows": _growth(results),
        "Requests per second on this machine, get-one with a token, 32 clients": _rates(results),
        "Dollars per million requests": _cost(results),
    }
    return "\n\n".join([heading, *(f"## {name}\n\n{part}" for name, part in parts.items() if part), _NOTES]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table in Markdown; all columns but the first are right-aligned."""
    lines = [f"| {' | '.join(head)} |", f"|---{'|--:' * (len(head) - 1)}|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines)


def _goals(results: Results) -> str:
    rows = [(one.name, f"{one.value:.2f}", one.goal, _verdict(one)) for one in goals.figures(results)]
    return table(("figure", "reached", "goal", "met"), rows)


def _verdict(figure: goals.Figure) -> str:
    if not figure.goal:
        return ""
    return "yes" if figure.met else "**no**"


def _cold(results: Results) -> str:
    head = ("", "INIT median", "worst", "to ours", *(f"first response, {name}" for name in CREDENTIALS))
    head += ("zipped", "unpacked", "RSS MB")
    ours = median(start.init for start in results.cold[OURS])
    rows = []
    for name, starts in results.cold.items():
        init = [start.init for start in starts]
        first = [
            f"{median(start.first_response for start in starts if start.credential == credential):.0f}"
            for credential in CREDENTIALS
        ]
        sizes = [f"{size / 1e6:.1f} MB" for size in results.sizes[name]]
        resident = f"{results.resident[name] / 1024:.0f}" if name in results.resident else ""
        ratio = f"{median(init) / ours:.2f}"
        rows.append((name, f"{median(init):.0f}", f"{max(init):.0f}", ratio, *first, *sizes, resident))
    return table(head, rows)


def _warm(measured: Mapping[tuple[str, str], Times]) -> str:
    head = ("", *(f"{route} {what}" for route in ROUTES for what in ("time", "p99", "CPU", "p99")))
    rows = []
    for credential in CREDENTIALS:
        for name in WARM:
            times = [measured[name, case(route, credential)] for route in ROUTES]
            cells = [(t.wall_median, t.wall_p99, t.cpu_median, t.cpu_p99) for t in times]
            rows.append((case(name, credential), *(f"{value:.0f}" for four in cells for value in four)))
    return table(head, rows)


def _instructions(results: Results) -> str:
    if not results.instructions:
        return ""
    floor = results.instructions[FLOOR]
    rows = [
        (name, *(f"{count / 1e6:.2f} M ({count / floor[route]:.1f})" for route, count in counts.items()))
        for name, counts in results.instructions.items()
    ]
    return table(("", *floor), rows)


def _capacity(results: Results) -> str:
    """Returns a row for each case and the contestants that take the same calls and units for it."""
    rows: dict[tuple[object, ...], list[str]] = {}
    for (name, route), used in results.capacity.items():
        figures = len(used.calls), used.read, _write_units(name, used), ", ".join(sorted(used.calls))
        rows.setdefault((route, *figures), []).append(name)
    head = ("", "contestants", "calls", "read units", "write units", "which")
    return table(head, [(row[0], ", ".join(names), *row[1:]) for row, names in rows.items()])


def _write_units(name: str, used: Capacity) -> float:
    return round(used.write + _LEASE * (name == OURS), 3)


def _growth(results: Results) -> str:
    rows = [
        (f"{items:,}", len(capacity.calls), capacity.read, f"{micros:.0f}")
        for items, (capacity, micros) in results.growth.items()
    ]
    return table(("meetings on the board", "calls", "read units", "median microseconds"), rows)


def _rates(results: Results) -> str:
    rows = [
        (
            name,
            f"{median(r.rate for r in rates):.0f}",
            f"{median(r.median for r in rates):.1f}",
            f"{max(r.p99 for r in rates):.1f}",
        )
        for name, rates in results.rates.items()
    ]
    return table(("", "requests/s", "median ms", "worst p99 ms"), rows)


def cost(read: float, write: float, micros: float) -> float:
    """Returns the dollars of a million requests that take so many units and microseconds each."""
    compute = micros / 1e6 * MEMORY_GB * GIGABYTE_SECOND * 1e6
    units = read * READ_UNIT_PER_MILLION + write * WRITE_UNIT_PER_MILLION
    return GATEWAY_PER_MILLION + INVOCATION_PER_MILLION + compute + units


def _cost(results: Results) -> str:
    rows = []
    for credential in CREDENTIALS:
        for name in WARM:
            figures = [_cost_of(results, name, case(route, credential)) for route in ROUTES]
            rows.append((case(name, credential), *(f"{figure:.2f}" for figure in figures)))
    prices = (
        f"List prices, us-east-1: HTTP API {GATEWAY_PER_MILLION}, invocation {INVOCATION_PER_MILLION} a million; "
        f"{GIGABYTE_SECOND} a GB-second (arm64, {MEMORY_GB} GB); read unit {READ_UNIT_PER_MILLION}, "
        f"write unit {WRITE_UNIT_PER_MILLION} a million."
    )
    return f"{table(('', *ROUTES), rows)}\n\n{prices}"


def _cost_of(results: Results, name: str, of: str) -> float:
    used = results.capacity[name, of]
    return cost(used.read, _write_units(name, used), results.live[name, of].wall_median)

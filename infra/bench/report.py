"""The results as tables: every figure with the ratio that it is judged by, and what a million requests would cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from infra.bench.cold import Start
from infra.bench.scenario import GET, LIST, ROUTES
from infra.bench.servers import Rate
from infra.bench.warm import Capacity, Times

OURS, FLOOR, FASTAPI, POWERTOOLS = "ours", "floor", "FastAPI+Mangum", "Powertools guide"
FLOOR_PYJWT = "floor + PyJWT"
WARM = (OURS, FLOOR, FLOOR_PYJWT, FASTAPI, POWERTOOLS)

# List prices in US dollars, us-east-1, arm64: the inputs of the cost table.
GATEWAY_PER_MILLION = 1.00
INVOCATION_PER_MILLION = 0.20
GIGABYTE_SECOND = 0.0000133334
MEMORY_GB = 1.0
READ_UNIT_PER_MILLION = 0.125
WRITE_UNIT_PER_MILLION = 0.625


@dataclass
class Results:
    """Everything that was measured, by contestant and route."""

    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    cold: dict[str, list[Start]] = field(default_factory=dict)
    resident: dict[str, int] = field(default_factory=dict)
    live: dict[tuple[str, str], Times] = field(default_factory=dict)
    own: dict[tuple[str, str], Times] = field(default_factory=dict)
    capacity: dict[tuple[str, str], Capacity] = field(default_factory=dict)
    growth: dict[int, tuple[Capacity, float]] = field(default_factory=dict)
    instructions: dict[str, dict[str, int]] = field(default_factory=dict)
    rates: dict[str, list[Rate]] = field(default_factory=dict)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; numbers are right-aligned."""
    lines = [f"| {' | '.join(head)} |", f"|---{'|--:' * (len(head) - 1)}|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines)


def text(results: Results, heading: str) -> str:
    """The whole report."""
    parts = {
        "Goals": goals(results),
        "Cold start in the Lambda runtime (milliseconds)": _cold(results),
        "Warm requests, store included (microseconds)": _warm(results.live),
        "Warm requests, the SDK left out (microseconds)": _warm(results.own),
        "Instructions of a warm request, the SDK left out (and to the floor's)": _instructions(results),
        "Store calls and capacity units": _capacity(results),
        "The same page of 25, as the board grows": _growth(results),
        "Requests per second on this machine, get-one, 32 clients": _rates(results),
        "Dollars per million requests": _cost(results),
    }
    return "\n\n".join([heading, *(f"## {name}\n\n{part}" for name, part in parts.items() if part), _NOTES]) + "\n"


_NOTES = """## How to read this

Milliseconds do not travel from this machine to another; ratios within one run do, for all contestants take turns. The
peers ship no byte code because `sam build` ships none; the rows "+ byte code" show them with it. The runtime's own
SDK, which the floor and FastAPI use, has byte code here. First answer: from the event that starts an environment to
its answer, start included. All make the same calls on the same items and answer the same resources, cursors apart.
What only ours does within the figures above: rate limits, idempotency keys, strict JSON, sealed cursors, roles and
scopes, log lines. Rate limits take one write unit beside every sixtieth request of a principal, which the cost
includes. Capacity is what DynamoDB Local reports, and two write units for each condition check of a transaction,
which it leaves out. Cost: gateway, invocation, the median duration of a warm request here at 1 GB, units, without
logs and cold starts.

The second floor is the first with its sessions judged by PyJWT in place of one HMAC by hand.

Where a goal is missed, this is why. Without the SDK: a floor takes twenty to fifty microseconds; ours has PyJWT judge
the session, which alone takes more than that, converts and validates every item, makes the checks named above, writes
a log line, and reads ranges beside each other, for which a thread wakes: in the cloud that saves a call's time, here
it counts as ours. The Powertools style leaves conversion to the SDK's resource, which this measure does not count.
Warm totals: the SDK's way to the store and the engine are nine tenths of a request for everybody, so no handler can
be twice as fast as another where one item is read. Where many are, ours gains most: its SDK hands items on as JSON
has them, while the others' walks over every attribute, which their processor time shows more plainly than the clock,
for that runs on while the engine works."""


def goals(results: Results) -> str:
    """Each goal, what was reached, and whether that will do."""
    rows = [(name, _ratio(value), goal, "yes" if met else "**no**") for name, value, goal, met in _goals(results)]
    return table(("figure", "reached", "goal", "met"), rows)


def _goals(results: Results) -> list[tuple[str, float, str, bool]]:
    init = {name: median(start.init for start in starts) for name, starts in results.cold.items()}
    first = {name: median(start.first_answer for start in starts) for name, starts in results.cold.items()}
    found = [
        _most("cold start, ours / floor", init[OURS] / init[FLOOR], 1.35),
        _most("cold start to first answer, ours / floor", first[OURS] / first[FLOOR], 1.35),
        _least("cold start, FastAPI+Mangum / ours", init[FASTAPI] / init[OURS], 1.8),
    ]
    for floor in (FLOOR, FLOOR_PYJWT):
        for route in ROUTES:
            own = {name: results.own[name, route].cpu_median for name in (OURS, floor)}
            found.append(_most(f"CPU without the SDK, {route}, ours / {floor}", own[OURS] / own[floor], 2.0))
    live = {(name, route): results.live[name, route].wall_median for name in WARM for route in (GET, LIST)}
    found.append(_most("warm total, get-one, ours / floor", live[OURS, GET] / live[FLOOR, GET], 1.3))
    for route in (GET, LIST):
        value = live[POWERTOOLS, route] / live[OURS, route]
        found.append(_least(f"warm total, {route}, Powertools guide / ours", value, 2.0))
    pages = [capacity.read for capacity, _ in results.growth.values()]
    found.append(_most("units of a page, largest board / smallest", pages[-1] / pages[0], 1.0))
    ours, theirs = (median(rate.rate for rate in rates) for rates in results.rates.values())
    found.append(_least("requests per second, make run / FastAPI + uvicorn", ours / theirs, 1.0))
    return found


def _most(name: str, value: float, goal: float) -> tuple[str, float, str, bool]:
    return name, value, f"≤ {goal}", value <= goal


def _least(name: str, value: float, goal: float) -> tuple[str, float, str, bool]:
    return name, value, f"≥ {goal}", value >= goal


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _cold(results: Results) -> str:
    head = ("", "INIT median", "worst", "first answer", "to ours", "zipped", "unpacked", "RSS MB")
    ours = median(start.init for start in results.cold[OURS])
    rows = []
    for name, starts in results.cold.items():
        init = [start.init for start in starts]
        zipped, unpacked = (f"{size / 1e6:.1f} MB" for size in results.sizes[name])
        first = f"{median(start.first_answer for start in starts):.0f}"
        resident = f"{results.resident[name] / 1024:.0f}" if name in results.resident else ""
        ratio = _ratio(median(init) / ours)
        rows.append((name, f"{median(init):.0f}", f"{max(init):.0f}", first, ratio, zipped, unpacked, resident))
    return table(head, rows)


def _warm(measured: Mapping[tuple[str, str], Times]) -> str:
    head = ("", *(f"{route} {what}" for route in ROUTES for what in ("time", "p99", "CPU", "p99")))
    rows = []
    for name in WARM:
        times = [measured[name, route] for route in ROUTES]
        cells = [(t.wall_median, t.wall_p99, t.cpu_median, t.cpu_p99) for t in times]
        rows.append((name, *(f"{value:.0f}" for four in cells for value in four)))
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
    rows = []
    for (name, route), used in results.capacity.items():
        rows.append((f"{route}, {name}", len(used.calls), used.read, used.write, ", ".join(used.calls)))
    return table(("", "calls", "read units", "write units", "which"), rows)


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


def cost(capacity: Capacity, micros: float) -> float:
    """Dollars of a million requests that take so many units and microseconds."""
    compute = micros / 1e6 * MEMORY_GB * GIGABYTE_SECOND * 1e6
    units = capacity.read * READ_UNIT_PER_MILLION + capacity.write * WRITE_UNIT_PER_MILLION
    return GATEWAY_PER_MILLION + INVOCATION_PER_MILLION + compute + units


def _cost(results: Results) -> str:
    rows = []
    for name in WARM:
        figures = [cost(results.capacity[name, r], results.live[name, r].wall_median) for r in ROUTES]
        rows.append((name, *(f"{figure:.2f}" for figure in figures)))
    prices = (
        f"List prices, us-east-1: HTTP API {GATEWAY_PER_MILLION}, invocation {INVOCATION_PER_MILLION} a million; "
        f"{GIGABYTE_SECOND} a GB-second (arm64, {MEMORY_GB} GB); read unit {READ_UNIT_PER_MILLION}, "
        f"write unit {WRITE_UNIT_PER_MILLION} a million."
    )
    return f"{table(('', *ROUTES), rows)}\n\n{prices}"

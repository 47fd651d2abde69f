"""`make fuzz`: many cases (CASES, 200,000 by default), route after route with ever new seeds; it goes on where it was.

The first failure ends it with the request that shows it; the same command then tries that route again.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from governance.mail import sender
from governance.store import table
from tests.fuzz.target import fuzz, serving
from tests.harness.calls import InlinePool
from tests.harness.engine import fresh_table, running
from tests.harness.outbox import Outbox
from tests.harness.routes import ROUTE_NAMES
from tests.harness.world import new_world

_PROGRESS = Path(__file__).parents[2] / ".local" / "fuzz.json"
_EXAMPLES = 40


@dataclass
class Progress:
    """How far the cases have come; a turn is one route under one seed."""

    turn: int = 0
    cases: int = 0

    @classmethod
    def load(cls) -> Progress:
        return cls(**json.loads(_PROGRESS.read_text())) if _PROGRESS.exists() else cls()

    def save(self) -> None:
        _PROGRESS.parent.mkdir(exist_ok=True)
        _PROGRESS.write_text(json.dumps(asdict(self)))


def turn(number: int, url: str) -> tuple[int, list[str]]:
    """The cases of one turn, and its failures."""
    route = ROUTE_NAMES[number % len(ROUTE_NAMES)]
    with fresh_table(RATE_LIMIT_PRINCIPAL="10000000", RATE_LIMIT_ADDRESS="10000000"):
        sender.client.cache_clear()
        sender.client().meta.events.register("before-call.sesv2.SendEmail", Outbox().take)
        world = new_world()
        bearer = world.owner.client.bearer or ""
        found = fuzz(url, route, world, bearer, examples=_EXAMPLES, seed=number // len(ROUTE_NAMES))
    print(f"{route}: {found.cases} cases, {dict(sorted(found.statuses.items()))}", flush=True)
    return found.cases, found.failures


def main() -> int:
    """Turn after turn until the cases are done; 1 where one failed."""
    wanted, progress = int(os.environ.get("CASES", "200000")), Progress.load()
    table._pool = InlinePool()  # type: ignore[assignment]
    with running("moto"), serving() as url:
        while progress.cases < wanted:
            cases, failures = turn(progress.turn, url)
            if failures:
                print("\n".join(failures))
                return 1
            progress = Progress(progress.turn + 1, progress.cases + cases)
            progress.save()
    _PROGRESS.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())

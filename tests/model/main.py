"""`make model`: compares STEPS responses (100,000 by default) with the plain model, then RIGHTS_STEPS steps of rights.

Each round starts from a seed of its own, FIRST (0 by default) being the first one. A failure ends the run and is
printed with its shortest sequence.
"""

from __future__ import annotations

import os
import warnings
from contextlib import ExitStack, closing

from governance.store import dynamodb
from tests.harness.engine import running
from tests.harness.privileges import enforced_privileges
from tests.harness.rounds import rounds
from tests.harness.store_calls import InlinePool
from tests.model.rounds import STEPS_PER_HISTORY, compare, run_history

_resources = ExitStack()


def _set_up() -> None:
    """Prepares a new process as pytest's fixtures and settings do."""
    warnings.simplefilter("error")
    _resources.enter_context(running("moto"))
    _resources.enter_context(enforced_privileges())
    dynamodb._pool = InlinePool()  # type: ignore[assignment]


def _setting(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


def main() -> None:
    """Raises the first difference."""
    for what, work, goal, each_round in (
        ("responses agree with the model", compare, _setting("STEPS", 100_000), None),
        ("steps of rights", run_history, _setting("RIGHTS_STEPS", 20_000), STEPS_PER_HISTORY),
    ):
        agreed = 0
        with closing(rounds(work, _setting("PROCESSES", 2), _setting("FIRST", 0), _set_up)) as results:
            while agreed < goal:
                compared = next(results)
                agreed += each_round or compared
                print(f"{agreed} {what}", flush=True)


if __name__ == "__main__":
    main()

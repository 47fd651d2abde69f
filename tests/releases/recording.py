"""Items of every kind as a release stored them, one line each. `python -m tests.releases.recording <number>` records.

They are those of the requests, and the samples of what no request stores.

The recording of a release is never changed: what it stored is somewhere in a table for years.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from governance.store import dynamodb
from governance.store.attributes import marshal, unmarshal
from governance.store.reports import kpi_formulas
from governance.store.schema.keys import PK, SK, Item
from infra.operator.kinds import model_of
from tests.harness import engine, kpi
from tests.harness.board_scenario import new_board_scenario, person
from tests.harness.bucket import fresh_bucket
from tests.harness.history import event_items
from tests.harness.outbox import collected
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool
from tests.harness.stream import process_records, record
from tests.harness.table_snapshot import TableSnapshot
from tests.store.rows_of_every_kind import whole_rows

FOLDER = Path(__file__).parent / "recorded"
_VARYING = re.compile(r"[0-9a-f]{12,64}|\d{4}-\d\d-\d\dT[\d:.]+Z|[\w.]+@[\w.]+|\d{4}-\d\d(?=$|#)")


def recorded(release: str) -> list[Item]:
    """Returns the items that a release stored."""
    return [unmarshal(json.loads(line)) for line in (FOLDER / f"{release}.jsonl").read_text().splitlines()]


def releases() -> list[str]:
    """Returns the numbers of the releases that are recorded."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def kinds_of(items: list[Item]) -> dict[str, Item]:
    """Returns one item of each kind and form, by its key without what varies."""
    return {f"{_VARYING.sub('*', item[PK])} {_VARYING.sub('*', item[SK])}": item for item in items if model_of(item)}


def _stored_by_every_request() -> list[Item]:
    """Sends a request to every route that changes something; returns what was stored, also what was deleted later."""
    items: list[Item] = []
    with pytest.MonkeyPatch.context() as patch, engine.running("moto"), engine.fresh_table(), collected():
        patch.setattr(dynamodb, "_pool", InlinePool())
        patch.setattr(kpi_formulas, "_current", kpi.KnownFormulas())
        with fresh_bucket():
            for name in ROUTE_NAMES:
                if ROUTES_BY_NAME[name].method == "GET" and "guest" not in name:
                    continue
                scenario = new_board_scenario()
                caller = person(OUTSIDER_EMAIL.partition("@")[0]) if "invite/" in name else scenario.owner
                request = sample_request(name, scenario, caller)
                items += TableSnapshot().items.values()
                request.by(caller.client)
                if happened := event_items(scenario.board_id):
                    process_records([record(item) for item in happened])
            items += TableSnapshot().items.values()
    return items


def main(release: str) -> None:
    """Writes the recording of a release. Raises `FileExistsError` if there is one."""
    FOLDER.mkdir(exist_ok=True)
    items = sorted(kinds_of([*whole_rows().values(), *_stored_by_every_request()]).items())
    lines = [json.dumps(marshal(item), sort_keys=True) for _, item in items]
    with (FOLDER / f"{release}.jsonl").open("x") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    import sys

    main(sys.argv[1])

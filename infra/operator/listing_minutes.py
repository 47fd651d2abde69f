"""Lists the minutes that an earlier release circulated and did not list: a part of `boardctl migrate`."""

from __future__ import annotations

from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.store.meetings import minutes_versions
from governance.store.schema.keys import INDEXES
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from infra.operator.kinds import model_of
from infra.operator.log import all_rows


def list_older(*, dry_run: bool) -> int:
    """Writes each approval again that is in no list and should be; returns how many there are.

    A row that another writer changes meanwhile is listed by that writer.
    """
    number = 0
    for row in all_rows():
        if model_of(row) is not StoredMinutesApproval:
            continue
        approval = StoredMinutesApproval.model_validate(row)
        write = minutes_versions.put_approval(approval, approval)
        if all(write.item.get(index) == row.get(index) for index in INDEXES):
            continue
        number += 1
        if not dry_run:
            try:
                transact([write])
            except StaleRead:
                continue
    return number

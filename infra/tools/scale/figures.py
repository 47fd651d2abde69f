"""The rows of `make scale` about the checks of figures, and about comments."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance import aws
from governance.ids import time_ordered_id
from governance.instants import Instant, millis
from governance.models.comments.comment import StoredComment
from governance.store.comments import comments
from infra.catalog import releases
from infra.catalog.formulas import formulas_text
from infra.tools.scale.preparation import Request, get, owned_board
from infra.tools.scale.world import Caller, World, earlier

_PAGE = 10
_KPIS = {"profit": "finance.gross-profit", "revenue": "finance.revenue", "cost": "finance.cost-of-revenue"}
_PROFIT = {"profit": 60}


def answer_with_formulas() -> None:
    """Answers the service's reads of the catalog's formulas as its bucket does: DynamoDB Local has none."""
    text = formulas_text(releases.load()[0]).encode()

    def answer(**_: Any) -> Any:
        return AWSResponse("", 200, HTTPHeaders(), None), {"Body": io.BytesIO(text), "ETag": "released"}

    aws.s3().meta.events.register("before-call.s3.GetObject", answer)


def _fields(**stated: float) -> list[dict[str, Any]]:
    common = {"isStub": False, "label": "Figure", "displayOrder": 1}
    return [{**common, "fieldId": name, "rogueId": _KPIS[name], "value": value} for name, value in stated.items()]


def _checked_dashboard(world: World, size: int) -> tuple[Caller, str]:
    """Creates a report with that many dashboards, which all state the inputs of a figure of the first.

    Returns the owner and the path of the first.
    """
    owner, _, path = owned_board(world)
    report = owner.data("POST", f"{path}/reports", {"title": "Report"})["id"]
    target = f"{path}/reports/{report}/dashboards"
    first, *_ = [_dashboard(owner, target, _PROFIT if number == 0 else {}) for number in range(size)]
    return owner, f"{target}/{first}"


def _dashboard(owner: Caller, target: str, more: Mapping[str, float]) -> str:
    uniform = {"dataAnchorDate": "2026-09-30", "fields": _fields(revenue=100, cost=40, **more)}
    made: str = owner.data("POST", target, {"dashboardType": "uniform", "title": "D", "uniform": uniform})["id"]
    return made


def checked_change(world: World, size: int) -> Request:
    """Returns the change of a figure that agrees with its formula, in a report of that many dashboards."""
    owner, dashboard = _checked_dashboard(world, size)
    forms = (_fields(revenue=100, cost=40, **_PROFIT), _fields(revenue=100, cost=40, profit=60.0))
    return lambda: owner.send("PATCH", dashboard, {"uniform": {"fields": forms[world.number() % 2]}})


def checks(world: World, size: int) -> Request:
    """Returns the checks of a dashboard, in a report of that many dashboards."""
    owner, dashboard = _checked_dashboard(world, size)
    return get(owner, f"{dashboard}/checks")


def _commented(world: World, size: int) -> tuple[Caller, str]:
    """Creates a meeting with the given number of comments; returns the owner and the path of the comments."""
    owner, board, _ = owned_board(world)
    meeting = world.meeting(owner, board)
    common = {"board_id": board.id, "author_user_id": owner.id, "text": "Who explains this to the board?"}
    subject = {"subject_type": "meeting", "subject_id": meeting.rpartition("/")[2]}
    made = [
        StoredComment.model_validate({**common, **subject, "id": time_ordered_id(millis(at)), **_stamps(at)})
        for at in map(earlier, range(size))
    ]
    world.fill(write for comment in made for write in comments.create(comment))
    return owner, f"{meeting}/comments"


def _stamps(at: Instant) -> dict[str, Instant]:
    return {"created_at": at, "updated_at": at}


def comments_page(world: World, size: int) -> Request:
    """Returns the first page of a meeting's comments."""
    owner, path = world.shared(_commented, size)
    return get(owner, f"{path}?limit={_PAGE}")


def new_comment(world: World, size: int) -> Request:
    """Returns a comment on a meeting with the given number of them."""
    owner, path = world.shared(_commented, size)
    return lambda: owner.send("POST", path, {"text": "Who explains this to the board?"})

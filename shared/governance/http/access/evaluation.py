"""Evaluates access: what a route would say to a request, without the request (ADR access).

The steps are those of the request pipeline, in its order: the credential's surface, kind and scope, the board, the
caller's tier, the billing state, and the finders of the item that the path names. The body and the state are not
checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from governance.domain.access.access import Principal, member_tier, not_a_member
from governance.errors import ApiError, Code, forbidden, invalid_body
from governance.http import admission, reading
from governance.http.api import declarations_only, load_api
from governance.http.rate_limit import principal_lease
from governance.http.route import Route
from governance.ids import UserId, is_id
from governance.instants import Instant
from governance.models.access.access import (
    AccessAnswer,
    AccessDecision,
    AccessDecisions,
    AccessEvaluation,
    AccessEvaluations,
    AccessRefusal,
    EvaluationPart,
)
from governance.models.account.user import StoredUser
from governance.models.base import Query
from governance.models.boards.board import Membership
from governance.scopes import Tier
from governance.store.dynamodb import run_async
from governance.store.schema.entities import USER
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.usecases.context import Context, RequestInfo, board_keys, build_context, membership_in

_ALLOWED = AccessDecision(decision=True, context=None)
_NOT_CHECKED = {Code.CONFLICT, Code.INVALID_REQUEST_BODY, Code.INVALID_QUERY_PARAMETER}
"""Errors of the state, the body or the query, which an evaluation leaves out."""


@dataclass(frozen=True)
class Operation:
    """Where an operation of the API is: the group of its function, its method and the pattern of its path."""

    group: str
    method: str
    path: str


@dataclass(frozen=True)
class _Question:
    """Whether a user may call a route. `user_id` is None for the caller of the evaluation itself."""

    route: Route
    path_params: Mapping[str, str]
    user_id: UserId | None


class AccessEvaluator:
    """Answers the two routes of the evaluation.

    `operations` returns where each operation is, by its `operationId`.
    """

    def __init__(self, operations: Callable[[], Mapping[str, Operation]]) -> None:
        self._operations = operations

    def evaluate_access(self, context: Context, body: AccessEvaluation) -> AccessDecision:
        """Returns what a route would say to a request of the caller, or of another member of the caller's board."""
        part = EvaluationPart.model_construct(subject=body.subject, action=body.action, resource=body.resource)
        (decision,) = self._decisions(context, {"": part})
        return decision

    def evaluate_access_batch(self, context: Context, body: AccessEvaluations) -> AccessAnswer:
        """Returns what routes would say to many requests; each counts as a request against the rate limit."""
        if not body.evaluations:
            (decision,) = self._decisions(context, {"": body})
            return decision
        parts = {f"evaluations.{number}.": _with_defaults(part, body) for number, part in enumerate(body.evaluations)}
        decisions = self._decisions(context, parts)
        semantic = body.options.evaluations_semantic if body.options else None
        return AccessDecisions(evaluations=_until(decisions, semantic))

    def _decisions(self, context: Context, parts: Mapping[str, EvaluationPart]) -> list[AccessDecision]:
        """Returns the decisions; `parts` are the evaluations by the place of each in the body. Raises 400."""
        errors: dict[str, str] = {}
        questions = [self._question(place, part, context, errors) for place, part in parts.items()]
        if errors:
            raise invalid_body(errors)
        if len(questions) > 1:
            principal_lease(context.principal.rate_subject).spend(len(questions) - 1)
        return _Evaluation(context, [question for question in questions if question is not None]).decisions()

    def _question(self, place: str, part: EvaluationPart, context: Context, errors: dict[str, str]) -> _Question | None:
        """Returns what an evaluation asks; adds what is wrong with it to `errors`, by place."""
        if part.action is None or part.resource is None:
            missing = {"action": part.action, "resource": part.resource}
            errors |= {f"{place}{name}": "is required" for name, value in missing.items() if value is None}
            return None
        operation = self._operations().get(part.action.name)
        if operation is None:
            errors[f"{place}action.name"] = "must be an operationId of the OpenAPI document"
            return None
        matched = self._match(operation, part.resource.id)
        if matched is None:
            errors[f"{place}resource.id"] = f"must be a path of the form {operation.path}, without a query"
            return None
        named = UserId(part.subject.id) if part.subject else None
        return _Question(*matched, None if named == context.user_id else named)

    def _match(self, operation: Operation, path: str) -> tuple[Route, Mapping[str, str]] | None:
        with declarations_only():
            api = load_api(operation.group)
        return None if "?" in path else api.match_template(operation.method, operation.path, path)


def _with_defaults(part: EvaluationPart, body: AccessEvaluations) -> EvaluationPart:
    return EvaluationPart.model_construct(
        subject=part.subject or body.subject,
        action=part.action or body.action,
        resource=part.resource or body.resource,
    )


def _until(decisions: Sequence[AccessDecision], semantic: str | None) -> tuple[AccessDecision, ...]:
    """Returns the decisions up to the one at which the semantic of the request ends."""
    last = {"deny_on_first_deny": False, "permit_on_first_permit": True}.get(semantic or "")
    ends = (number for number, decision in enumerate(decisions, start=1) if decision.decision is last)
    return tuple(decisions[: next(ends, len(decisions))])


class _Evaluation:
    """Some questions of one caller, whose items are read in one batch."""

    def __init__(self, context: Context, questions: Sequence[_Question]) -> None:
        self._caller = context.principal
        self._now = context.now
        self._subjects = [_Subject(question, self._caller) for question in questions]

    def decisions(self) -> list[AccessDecision]:
        """Returns the decisions, in the order of the questions."""
        for resolving in [run_async(subject.resolve) for subject in self._subjects if subject.needs_resolving]:
            resolving.result()
        items = read(key for subject in self._subjects for key in subject.wanted())
        if len(self._subjects) == 1:
            return [self._subjects[0].decide(items, self._now)]
        deciding = [run_async(partial(subject.decide, items, self._now)) for subject in self._subjects]
        return [future.result() for future in deciding]


class _Subject:
    """A question with the party that it is about: the caller of the evaluation, or another member of their board."""

    def __init__(self, question: _Question, caller: Principal) -> None:
        self._route = question.route
        self._path_params = question.path_params
        self._params: Mapping[str, str] | None = question.path_params
        self._other_id = question.user_id
        self._caller = None if question.route.admission.is_public else caller

    @property
    def needs_resolving(self) -> bool:
        """Whether the path names an item without its board."""
        return self._route.declared.resolve_board is not None

    def resolve(self) -> None:
        """Finds the board of the item."""
        self._params = reading.resolve_board(self._route, self._path_params)

    def wanted(self) -> list[Key]:
        """Returns the keys of what the decision takes."""
        own = [self._member_key(self._caller_id), USER.key_or_none(userId=self._other_id)] if self._other_id else []
        board, member = board_keys(self._params or {}, self._other_id or self._caller_id)
        return [key for key in [board, member, *own, *self._declared_keys()] if key]

    def _declared_keys(self) -> Iterable[Key | None]:
        """Returns the keys that the route declares; none if the id of the subject is malformed."""
        if self._other_id is not None and not is_id(self._other_id):
            return ()
        return self._route.declared.keys(self._info())

    def _info(self) -> RequestInfo:
        params = self._path_params if self._params is None else self._params
        user = self._caller.user if self._caller and not self._other_id else None
        email = user.email if user and self._caller and self._caller.token is None else None
        return RequestInfo(params, self._other_id or self._caller_id, self._query, None, email)

    @property
    def _query(self) -> Query | None:
        """The query of a request without parameters, also of a route that needs some."""
        return self._route.query.model_construct() if self._route.query else None

    @property
    def _caller_id(self) -> UserId | None:
        return self._caller.user_id if self._caller else None

    def _member_key(self, user_id: UserId | None) -> Key | None:
        return board_keys(self._params or {}, user_id)[1]

    def decide(self, items: Mapping[Key, Item], now: Instant) -> AccessDecision:
        """Returns what the route would say; raises 503 if the store fails."""
        try:
            if self._other_id is None:
                self._find(self._admit(self._caller, items, now))
            else:
                self._check_other(self._other_id, items, now)
        except ApiError as error:
            if error.code.refuses_access:
                return AccessDecision(decision=False, context=_refusal(error))
            if error.code not in _NOT_CHECKED:
                raise
        return _ALLOWED

    def _check_other(self, user_id: UserId, items: Mapping[Key, Item], now: Instant) -> None:
        """Checks another user's session. The answer shows only what the caller, an admin of the board, may know.

        For a user who is not a member, it says only that. A resource that is hidden from the caller counts as absent.
        """
        self._check_admin(items)
        key = USER.key_or_none(userId=user_id)
        user = items.get(key) if key else None
        if user is None or self._membership(user_id, items) is None:
            raise not_a_member()
        principal = Principal(StoredUser.model_validate(user), None)
        context = self._admit(principal, items, now)
        self._check_seen_by_caller(items, now)
        self._find(context)

    def _check_admin(self, items: Mapping[Key, Item]) -> None:
        member = self._membership(self._caller_id, items) if self._route.admission.board_scoped else None
        if member is None or member_tier(member) < Tier.ADMIN:
            raise forbidden("Only an admin of the board that the path names may ask about somebody else.")

    def _check_seen_by_caller(self, items: Mapping[Key, Item], now: Instant) -> None:
        try:
            self._find(self._context(self._caller, items, now))
        except ApiError as error:
            if error.code.status == Code.RESOURCE_NOT_FOUND.status:
                raise

    def _membership(self, user_id: UserId | None, items: Mapping[Key, Item]) -> Membership | None:
        return membership_in(items, self._params or {}, user_id)

    def _admit(self, principal: Principal | None, items: Mapping[Key, Item], now: Instant) -> Context:
        if principal is not None:
            admission.check_surface(self._route.admission, principal)
            admission.check_caller(self._route.admission, self._path_params, principal)
        context = self._context(principal, items, now)
        admission.check_board(self._route, context)
        return context

    def _context(self, principal: Principal | None, items: Mapping[Key, Item], now: Instant) -> Context:
        if self._params is None:
            raise ApiError(self._route.declared.not_found_code)
        return build_context(self._params, items, principal, now, self._query)

    def _find(self, context: Context) -> None:
        self._route.declared.find(context)


def _refusal(error: ApiError) -> AccessRefusal:
    required = (error.details or {}).get("requiredScope")
    scope = {"required_scope": required} if required else {}
    return AccessRefusal(code=error.code.name, status=error.code.status, message=error.message, **scope)

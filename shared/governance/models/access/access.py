"""The evaluation of access: the bodies of the OpenID AuthZEN Authorization API 1.0 (ADR access).

The standard allows fields that a server does not know, such as `properties` and `context`: they are ignored.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from governance.limits import ACCESS_EVALUATIONS
from governance.models.base import Body, Resource

EvaluationsSemantic = Literal["execute_all", "deny_on_first_deny", "permit_on_first_permit"]
"""All decisions (`execute_all`), the decisions up to the first refusal (`deny_on_first_deny`), or those up to the first
permission (`permit_on_first_permit`).
"""


class _AuthzenBody(Body):
    model_config = ConfigDict(extra="ignore")


class EvaluatedSubject(_AuthzenBody):
    """The user that the evaluation is about."""

    type: Literal["user"]
    """The kind of subject, always `user`."""
    id: str
    """Identifier of the user, who must be a member of the board that the path names."""


class EvaluatedAction(_AuthzenBody):
    """The operation that would be called."""

    name: str
    """The `operationId` of the operation in this document, such as `createMeeting`."""


class EvaluatedResource(_AuthzenBody):
    """The path that would be requested."""

    type: Literal["route"]
    """The kind of resource, always `route`."""
    id: str
    """Path of the request with identifiers in place of its parameters, and without a query."""


class AccessEvaluation(_AuthzenBody):
    """One evaluation."""

    subject: EvaluatedSubject | None = None
    """The party that would make the request. Left out or null means the caller."""
    action: EvaluatedAction
    """The operation that would be called."""
    resource: EvaluatedResource
    """The path that would be requested."""


class EvaluationPart(_AuthzenBody):
    """One of many evaluations. A field that it leaves out is taken from the top level of the body."""

    subject: EvaluatedSubject | None = None
    """The party that would make the request. Left out or null means the caller."""
    action: EvaluatedAction | None = None
    """The operation that would be called."""
    resource: EvaluatedResource | None = None
    """The path that would be requested."""


class EvaluationOptions(_AuthzenBody):
    """Options of an evaluation of many requests."""

    evaluations_semantic: EvaluationsSemantic | None = Field(default=None, alias="evaluations_semantic")
    """Which decisions are returned. Left out or null means `execute_all`."""


class AccessEvaluations(EvaluationPart):
    """Many evaluations. The other fields apply to each evaluation that leaves them out."""

    evaluations: Annotated[list[EvaluationPart], Field(max_length=ACCESS_EVALUATIONS)] | None = None
    """The evaluations, at most $ACCESS_EVALUATIONS."""
    options: EvaluationOptions | None = None
    """Options of the evaluation."""


class AccessRefusal(Resource):
    """The error that the operation would return."""

    omits_unset: ClassVar[bool] = True

    code: str
    """The error's code, as in the error envelope."""
    status: int
    """The error's HTTP status."""
    message: str
    """What the client has to change, for people to read."""
    required_scope: str = ""
    """The scope that the credential lacks. Present only if that is the reason."""


class AccessDecision(Resource):
    """Whether the subject is allowed to call the operation."""

    omits_unset: ClassVar[bool] = True

    decision: bool
    """True if the subject is allowed to call the operation."""
    context: AccessRefusal | None
    """The error that the operation would return; null if the subject is allowed to call it."""


class AccessDecisions(Resource):
    """The decisions of many evaluations."""

    omits_unset: ClassVar[bool] = True

    evaluations: tuple[AccessDecision, ...]
    """The decisions, in the order of the evaluations."""


AccessAnswer = AccessDecisions | AccessDecision
"""The decisions of many evaluations, or the decision of one."""

"""The evaluation of access: the bodies of the OpenID AuthZEN Authorization API 1.0 (ADR access).

The standard allows fields that a server does not know, such as `properties` and `context`: they are ignored.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from governance.limits import ACCESS_EVALUATIONS
from governance.models.base import Body, Resource

EvaluationsSemantic = Literal["execute_all", "deny_on_first_deny", "permit_on_first_permit"]


class _AuthzenBody(Body):
    model_config = ConfigDict(extra="ignore")


class EvaluatedSubject(_AuthzenBody):
    """The user that an evaluation is about."""

    type: Literal["user"]
    id: str


class EvaluatedAction(_AuthzenBody):
    """The operation that an evaluation is about, by its `operationId`."""

    name: str


class EvaluatedResource(_AuthzenBody):
    """The path that an evaluation is about, with ids in place of its parameters and without a query."""

    type: Literal["route"]
    id: str


class AccessEvaluation(_AuthzenBody):
    """The body that evaluates one access; without a subject it is about the caller."""

    subject: EvaluatedSubject | None = None
    action: EvaluatedAction
    resource: EvaluatedResource


class EvaluationPart(_AuthzenBody):
    """One of many evaluations; what it leaves out is taken from the body."""

    subject: EvaluatedSubject | None = None
    action: EvaluatedAction | None = None
    resource: EvaluatedResource | None = None


class EvaluationOptions(_AuthzenBody):
    """How many evaluations are answered."""

    evaluations_semantic: EvaluationsSemantic | None = Field(default=None, alias="evaluations_semantic")


class AccessEvaluations(EvaluationPart):
    """The body that evaluates many accesses; without any in `evaluations` it is one evaluation."""

    evaluations: Annotated[list[EvaluationPart], Field(max_length=ACCESS_EVALUATIONS)] | None = None
    options: EvaluationOptions | None = None


class AccessRefusal(Resource):
    """The error that the route would return; `required_scope` is set only if a scope is missing."""

    omits_unset: ClassVar[bool] = True

    code: str
    status: int
    message: str
    required_scope: str = ""


class AccessDecision(Resource):
    """Whether the route admits the subject; `context` is None if it does."""

    omits_unset: ClassVar[bool] = True

    decision: bool
    context: AccessRefusal | None


class AccessDecisions(Resource):
    """The decisions of many evaluations, in their order."""

    omits_unset: ClassVar[bool] = True

    evaluations: tuple[AccessDecision, ...]


AccessAnswer = AccessDecisions | AccessDecision
"""The answer to a body that may hold many evaluations or one."""

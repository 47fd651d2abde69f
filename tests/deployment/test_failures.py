"""A deployment that failed is explained by the resource that failed first, with a next step."""

from typing import Any

import pytest

from infra.deployment import stacks


class Events:
    """CloudFormation's events of stacks, newest first."""

    def __init__(self, events: dict[str, list[dict[str, str]]]) -> None:
        self._events = events

    def describe_stacks(self, StackName: str) -> Any:  # noqa: N803 - the SDK's name
        return {"Stacks": [{"StackName": StackName}]}

    def get_paginator(self, _: str) -> Any:
        return self

    def paginate(self, StackName: str) -> list[dict[str, Any]]:  # noqa: N803 - the SDK's name
        return [{"StackEvents": self._events[StackName]}]


def event(stack: str, name: str, kind: str, status: str, reason: str = "", physical_id: str = "x") -> dict[str, str]:
    return {
        "StackId": stack,
        "LogicalResourceId": name,
        "ResourceType": kind,
        "ResourceStatus": status,
        "ResourceStatusReason": reason,
        "PhysicalResourceId": physical_id,
    }


STACK = "AWS::CloudFormation::Stack"


def test_the_first_failure_of_the_last_deployment_is_named_also_in_a_nested_stack() -> None:
    client = Events(
        {
            "boards": [
                event("boards", "boards", STACK, "ROLLBACK_COMPLETE", physical_id="boards"),
                event("boards", "Api", "AWS::ApiGatewayV2::Api", "CREATE_FAILED", "Resource creation cancelled"),
                event("boards", "Cdn", STACK, "CREATE_FAILED", "Embedded stack was not created", "cdn"),
                event("boards", "boards", STACK, "CREATE_IN_PROGRESS", "User Initiated", "boards"),
                event("boards", "Old", "AWS::SQS::Queue", "UPDATE_FAILED", "an earlier deployment"),
            ],
            "cdn": [
                event(
                    "cdn",
                    "Distribution",
                    "AWS::CloudFront::Distribution",
                    "CREATE_FAILED",
                    "Your account must be verified before you can add new CloudFront resources.",
                )
            ],
        }
    )
    text = stacks.failure(client, "boards")
    assert text.startswith("Distribution (AWS::CloudFront::Distribution): Your account must be verified")
    assert "Open a support case" in text


@pytest.mark.parametrize(
    ("reason", "step"),
    [
        ("board-governance-dev already exists in stack other", "choose another Stage"),
        ("User: x is not authorized to perform: iam:CreateRole", "The credentials lack this permission"),
        ("something else", ""),
    ],
)
def test_a_known_reason_has_a_next_step(reason: str, step: str) -> None:
    client = Events({"boards": [event("boards", "Thing", "AWS::IAM::Role", "CREATE_FAILED", reason)]})
    first, _, rest = stacks.failure(client, "boards").partition("\n")
    assert first == f"Thing (AWS::IAM::Role): {reason}"
    assert step in rest
    assert bool(rest) == bool(step)

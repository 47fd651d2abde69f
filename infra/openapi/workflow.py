"""The declarations of the workflows, `workflows/<name>.yaml`.

A workflow names operations and what their answers must say. What the OpenAPI document knows is not repeated: the status
of success, the path, the credential, what a step is for, and the body where the example of the reference will do. In a
workflow, `$name` is what the nearest step before takes from its answer under this name, else the input of this name;
within a text it is written `{$name}`. The path parameters of an operation are such names, unless `with` gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

FOLDER = Path(__file__).parent / "workflows"
ANYTHING = "$any"
"""What is expected where it is enough that the answer has something else than null."""
Literal = StrictBool | StrictInt | str
"""What an answer is compared with: a name, or the value itself."""


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Input(_Declared):
    """An input of a workflow besides `session`."""

    default: str
    description: str


class Step(_Declared):
    """A call of an operation, and what its answer must say."""

    call: str
    """The `operationId`."""
    id: str = ""
    """The step's name where it is not that of its operation."""
    bearer: str = "$session"
    """The credential."""
    with_: Mapping[str, str] = Field(default={}, alias="with")
    """Parameters of the query, and those of the path that another name stands for."""
    body: Any = None
    """Without it, the body is the example of the reference."""
    expect: Mapping[str, Literal] = {}
    """What the answer has at these JSON pointers."""
    wait: Mapping[str, Literal] = {}
    """The same, of what happens in the background: the step is repeated until the answer says so."""
    take: Mapping[str, str] = {}
    """The JSON pointers of what later steps use, by name."""

    @property
    def name(self) -> str:
        """The step's `stepId`."""
        return self.id or self.call


class Workflow(_Declared):
    """One workflow, as its file declares it."""

    summary: str
    description: str
    inputs: Mapping[str, Input] = {}
    steps: list[Step]
    outputs: list[str]


@cache
def workflows() -> dict[str, Workflow]:
    """Returns the workflows by name."""
    files = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.yaml"))}
    return {name: Workflow.model_validate(yaml.load(text, yaml.CSafeLoader)) for name, text in files.items()}

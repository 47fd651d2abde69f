"""The words of the API reference: nothing is left undescribed, nothing describes what is not there, examples hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import jsonschema_rs
import pytest
import yaml

from governance import limits
from governance.errors import Code, Reason
from governance.models.base import Query
from governance.settings import settings
from infra.local import demo
from infra.openapi.descriptions import said
from infra.openapi.document import document
from infra.openapi.numbers import numbers
from infra.openapi.schemas import models, name_of
from infra.openapi.site import site
from infra.openapi.texts import FOLDER, reference
from tests.harness.client import ROUTES, Client

DOCUMENT: dict[str, Any] = document()
MODELS = models()
COMPONENTS: dict[str, Any] = DOCUMENT["components"]
SCHEMAS: dict[str, Any] = COMPONENTS["schemas"]
REFERENCE = reference()
OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: operation
    for item in DOCUMENT["paths"].values()
    for method, operation in item.items()
    if method != "parameters"
}
_LIST_OF_BOARD = re.compile(r"/api/v1/boards/\{boardId\}/(?:[a-z-]+s|backlog|plan)")
_LEAST_CHARACTERS = 15
_OPERATION_CHARACTERS = 40
_SUMMARY_WORDS = 5
_OUR_DIALECT = re.compile(r"\b(?:he|his|him|whoever|whom|heir|bears?)\b", re.IGNORECASE)
_OF_THE_STORE = re.compile(
    r"\b(?:batch|partition|DynamoDB|transaction|query the|read units?|index(?!: | \d))\b", re.IGNORECASE
)


def described() -> Iterator[tuple[str, str, str]]:
    """Everything that must be described: where, its name, and its description."""
    for name, schema in SCHEMAS.items():
        yield name, name, schema["description"]
        for field, part in schema.get("properties", {}).items():
            yield f"{name}.{field}", field, part["description"]
    for name, parameter in COMPONENTS["parameters"].items():
        yield name, name, parameter["description"]
    for name, header in COMPONENTS["headers"].items():
        yield name, name, header["description"]
    for operation_id, operation in OPERATIONS.items():
        for parameter in operation.get("parameters", ()):
            if "$ref" not in parameter:
                yield f"{operation_id}.{parameter['name']}", parameter["name"], parameter["description"]


def words(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


def test_everything_has_a_description_that_says_more_than_its_name() -> None:
    short = {place: text for place, _, text in described() if len(text) < _LEAST_CHARACTERS}
    assert short == {}, "write a string under the field of the model, or under the type of the field"
    repeating = {
        place: text
        for place, name, text in described()
        if words(text) in {words(name), f"the{words(name)}", f"a{words(name)}"}
    }
    assert repeating == {}


def test_what_a_model_would_inherit_it_does_not_say_again() -> None:
    models = [model for model in MODELS.values() if model.__name__ in SCHEMAS or issubclass(model, Query)]
    lines = {f"{model.__name__}.{field}": said(model, field) for model in models for field in model.model_fields}
    assert [place for place, line in lines.items() if any(one == next_ for one, next_ in pairwise(line))] == []


def test_an_operation_has_a_description_and_a_short_summary_of_its_own() -> None:
    summaries = {operation_id: operation["summary"] for operation_id, operation in OPERATIONS.items()}
    assert {name: text for name, text in summaries.items() if not 0 < len(text.split()) <= _SUMMARY_WORDS} == {}
    assert {name: text for name, text in summaries.items() if text.endswith(".")} == {}
    assert len({f"{operation['tags']} {operation['summary']}" for operation in OPERATIONS.values()}) == len(OPERATIONS)
    descriptions = {operation_id: REFERENCE.operations[operation_id]["description"] for operation_id in OPERATIONS}
    assert {name: text for name, text in descriptions.items() if len(text) < _OPERATION_CHARACTERS} == {}


def test_tags_and_info_are_described() -> None:
    assert all(len(tag["description"]) >= _LEAST_CHARACTERS for tag in DOCUMENT["tags"])
    assert DOCUMENT["info"].keys() >= {"contact", "license", "description", "summary"}
    for section in ("Credentials", "Errors", "Paging", "Idempotency", "Rate limits", "Other limits"):
        assert f"## {section}\n" in DOCUMENT["info"]["description"]


def test_the_words_are_the_fields_and_not_the_stores() -> None:
    texts_by_file = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    texts_by_file |= {place: text for place, _, text in described()}
    assert [(name, word) for name, text in texts_by_file.items() for word in _OUR_DIALECT.findall(text)] == []
    assert [(name, word) for name, text in texts_by_file.items() for word in _OF_THE_STORE.findall(text)] == []


def test_nothing_is_described_that_is_not_there() -> None:
    assert REFERENCE.operations.keys() == OPERATIONS.keys()
    for name, text in REFERENCE.operations.items():
        assert text.keys() <= {"summary", "description", "request", "response", "meta", "returns", "next"}, name
    assert REFERENCE.examples.keys() <= {name_of(route.response_model) for route in ROUTES}
    fields = {field for schema in SCHEMAS.values() for field in schema.get("properties", {})}
    assert REFERENCE.shared["fields"].keys() <= fields
    parameters = {parameter["name"] for parameter in COMPONENTS["parameters"].values() if parameter["in"] != "query"}
    assert REFERENCE.shared["parameters"].keys() == parameters
    assert REFERENCE.shared["headers"].keys() == COMPONENTS["headers"].keys()
    assert REFERENCE.shared["errors"].keys() == {code.name for code in Code}
    assert REFERENCE.shared["reasons"].keys() == {reason.value for reason in Reason}


def test_every_example_id_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.iterdir())
    for name in yaml.safe_load((FOLDER / "shared.yaml").read_text(encoding="utf-8"))["ids"]:
        assert f"${name}" in text, name
    assert all(not name.isupper() or name in numbers() or "_TABLE" in name for name in re.findall(r"\$(\w+)", text))


def test_a_number_is_quoted_as_it_is_or_in_words() -> None:
    quoted = numbers()
    assert (quoted["DOWNLOAD_SECONDS"], quoted["DOWNLOAD_SECONDS_IN_WORDS"]) == ("120", "2 minutes")
    assert (quoted["EVENT_SETTLES_SECONDS_IN_WORDS"], quoted["DUE_AHEAD_SECONDS_IN_WORDS"]) == (
        "12 seconds",
        "90 seconds",
    )
    assert (quoted["GUEST_VIEW_HOURS_IN_WORDS"], quoted["IDEMPOTENCY_HOURS_IN_WORDS"]) == ("1 hour", "24 hours")
    assert (quoted["BODY_BYTES"], quoted["BODY_BYTES_IN_WORDS"]) == ("262144", "256 KiB")
    assert (quoted["FILE_BYTES_IN_WORDS"], quoted["DEFAULT_REMINDERS"]) == ("100 MiB", "3 and 1")
    assert quoted["BET_REMINDER_DAYS_IN_WORDS"] == "7 days and 1 day"
    assert "MEETING_TITLE_IN_WORDS" not in quoted


def test_the_guides_quote_the_numbers_of_the_code() -> None:
    guides = {
        name: file.body.decode() for name, file in site().items() if name.endswith(("calendars.html", "webhooks.html"))
    }
    assert f"within {numbers()['WEBHOOK_ATTEMPT_SECONDS_IN_WORDS']}." in guides["/docs/webhooks.html"]
    assert f"at most {limits.FEED_EVENTS} and" in guides["/docs/calendars.html"]
    assert [name for name, text in guides.items() if "$" in text] == []


def test_what_repeats_has_a_name() -> None:
    """Generated clients make a module of every enumeration and object that is written inline."""
    assert [place for name, schema in SCHEMAS.items() for place in inline(schema, name)] == []
    for operation_id, operation in OPERATIONS.items():
        for parameter in operation.get("parameters", ()):
            assert list(inline({"x": parameter.get("schema", {})}, operation_id)) == []
        for status, response in operation["responses"].items():
            assert ("$ref" in response) == (int(status) >= 400)


def inline(part: Any, place: str, *, top: bool = True) -> Iterator[str]:
    """The enumerations and objects inside a schema that have no name."""
    if isinstance(part, list):
        for number, inner in enumerate(part):
            yield from inline(inner, f"{place}.{number}", top=False)
    if isinstance(part, dict):
        if not top and ("enum" in part or part.get("type") == "object"):
            yield place
        for key, inner in part.items():
            yield from inline(inner, f"{place}.{key}", top=False)


def refusals(place: str, schema: dict[str, Any], example: Any) -> list[str]:
    """What a schema refuses in an example."""
    whole = {**schema, "components": COMPONENTS}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    return [f"{place} {error.instance_path}: {error.message}" for error in validator.iter_errors(example)]


def test_operations_and_errors_have_examples_that_their_schemas_accept() -> None:
    refused = []
    for operation_id, operation in OPERATIONS.items():
        media = [response["content"] for status, response in operation["responses"].items() if status < "300"]
        assert all(part == media[0] for part in media), operation_id
        media += [operation["requestBody"]["content"]] if "requestBody" in operation else []
        for content in media:
            part = content["application/json"]
            refused += refusals(operation_id, part["schema"], part["example"])
    for name, response in COMPONENTS["responses"].items():
        media = response["content"]["application/json"]
        assert media["examples"], name
        for example in media["examples"].values():
            refused += refusals(name, media["schema"], example["value"])
    assert refused == []


_NAMES = {
    *("name", "boardName", "title", "email", "inviteeEmail", "inviterEmail", "firstName", "lastName", "inviteMessage"),
}
"""Fields whose values in the examples come from the demo data."""


def texts(part: Any) -> Iterator[str]:
    """The values of the fields that name something."""
    if isinstance(part, list):
        for inner in part:
            yield from texts(inner)
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key in _NAMES and isinstance(value, str))
        for inner in part.values():
            yield from texts(inner)


@pytest.mark.usefixtures("store")
def test_examples_tell_of_the_demo_data() -> None:
    sown = demo.seed(settings())
    owner, board = Client(sown["users"][0]["session"]), sown["boards"][0]["id"]
    (report,) = [entry for entry in owner.all(f"/api/v1/boards/{board}/reports") if entry["status"] == "published"]
    reads = [route for route in ROUTES if route.method == "GET" and _LIST_OF_BOARD.fullmatch(route.path)]
    lists = [route.path for route in reads if route.shape == "collection"]
    shown = [owner.all(path.format(boardId=board)) for path in lists]
    shown.append(owner.all(f"/api/v1/boards/{board}/reports/{report['id']}/dashboards"))
    shown += [owner.all("/api/v1/boards"), owner.get(f"/api/invite/{board}/invites").json]
    shown += [owner.get(f"/api/board/{board}/action-items").json, owner.get("/api/v1/me").data]
    meetings = owner.all(f"/api/v1/boards/{board}/meetings")
    for part in ("slots", "agenda", "minutes"):
        shown += [owner.get(f"/api/v1/boards/{board}/meetings/{meeting['id']}/{part}").json for meeting in meetings]
    dashboards = f"/api/v1/boards/{board}/reports/{report['id']}/dashboards"
    shown += [owner.get(f"{dashboards}/{dashboard['id']}/checks").json for dashboard in owner.all(dashboards)]
    known = set(texts(shown)) | {token["name"] for token in owner.all("/api/v1/me/tokens")}
    files = {f"{kind}: {meeting['title']}" for meeting in meetings for kind in ("Board pack", "Minutes 2026-3")}
    known |= files | {"Minute book 2026"}  # the demo data have no files
    examples = [
        response["content"]["application/json"]["example"]
        for operation in OPERATIONS.values()
        for status, response in operation["responses"].items()
        if status < "300"
    ]
    assert set(texts(examples)) <= known
    for user in sown["users"]:
        assert REFERENCE.values.get(user["email"].partition("@")[0], user["id"]) == user["id"]


def test_the_reference_says_at_its_head_that_legacy_answers_stay_as_the_specification_has_them() -> None:
    head, _, _ = DOCUMENT["info"]["description"].partition("\n## ")
    assert "**legacy surface**" in head
    assert "as the published specification has them" in head

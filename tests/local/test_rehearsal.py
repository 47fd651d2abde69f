"""The rehearsal leaves nothing out without a check of another kind that is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.rehearsal import templates
from infra.rehearsal.templates import NESTED, OMITTED, REPLACED, Omission
from infra.stack.template import ROOT, Template

EVERYTHING = OMITTED | REPLACED


@pytest.mark.parametrize("what", sorted(EVERYTHING))
def test_what_is_left_out_has_a_check_that_exists(what: str) -> None:
    omission: Omission = EVERYTHING[what]
    file, _, name = omission.check.partition("::")
    assert omission.why
    assert name in (ROOT / file).read_text(encoding="utf-8")


def _nested() -> dict[str, Path]:
    """Returns the source of each nested stack's template."""
    stacks = Template().resources(NESTED)
    return {name: ROOT / body["TemplateURL"] for name, body in stacks.items()}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Writes the stack's templates; `make build` is replaced: it copies them under the names of their stacks."""
    built = tmp_path / "build"
    for name, source in {**_nested(), "": ROOT / "template.yaml"}.items():
        (built / name).mkdir(parents=True, exist_ok=True)
        (built / name / "template.yaml").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(templates, "BUILD", built)
    templates.write(tmp_path, "http://127.0.0.1:1")


@pytest.mark.usefixtures("written")
def test_every_other_resource_is_deployed(tmp_path: Path) -> None:
    deployed = set(_resources(tmp_path / "template.json"))
    assert deployed == Template().document["Resources"].keys()
    for name, source in _nested().items():
        left_out = {entry.partition("/")[2] for entry in OMITTED if entry.startswith(f"{name}/")}
        assert _resources(tmp_path / f"{name}.json") == Template(source).document["Resources"].keys() - left_out
    templates.write_firewall(tmp_path)
    firewall = Template(ROOT / "infra/firewall/template.yaml").document["Resources"].keys()
    assert firewall - _resources(tmp_path / "Firewall.json") == {
        "EdgeFunctionErrors",
        "EdgeFunctionInvalid",
        "EdgeFunctionThrottled",
    }


@pytest.mark.usefixtures("written")
def test_the_emulator_draws_secrets_without_commas_which_separate_them(tmp_path: Path) -> None:
    resources = json.loads((tmp_path / "template.json").read_text(encoding="utf-8"))["Resources"].values()
    drawn = [rule for resource in resources if (rule := resource.get("Properties", {}).get("GenerateSecretString"))]
    assert drawn
    assert all("," in rule["ExcludeCharacters"] and rule["ExcludePunctuation"] for rule in drawn)


def _resources(path: Path) -> set[str]:
    return set(json.loads(path.read_text(encoding="utf-8"))["Resources"])

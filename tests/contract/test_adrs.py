"""The decisions have an index, `infra/adr/README.md`: one line for each, with its title."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "infra" / "adr"


def test_the_index_lists_every_decision_by_its_title() -> None:
    files = sorted(FOLDER.glob("[0-9]*.md"))
    titles = {
        file: file.read_text(encoding="utf-8").splitlines()[0].removeprefix(f"# {file.name[:4]} ") for file in files
    }
    expected = [f"- [{file.name[:4]}]({file.name}) {title}" for file, title in titles.items()]
    index = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in index if line.startswith("- ")] == expected

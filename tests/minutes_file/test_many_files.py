"""Many different files of minutes, and what was altered in them: each judge accepts all of the first and none of these.

FILES says how many files (4), ALTERED how many alterations (9, one of each kind), SEED which. The judges of alterations
are those that judge signatures; veraPDF judges none.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from governance.domain.meetings.minutes_versions import fixed
from governance.ids import UserId
from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import seal
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.minutes import Decision, Presence, StoredAttendance, StoredMinutes, StoredMinutesItem
from tests.domain.samples import NOW, THEN, id_of
from tests.minutes_file.judges import VALID, Judge, by_our_program, by_pdfsig, by_pyhanko, by_verapdf
from tests.minutes_file.making import BOARD, CHAIR, ITEM, KEY, MEETING, NAMES, RESOLUTION, TASK, approved, drawn
from tests.minutes_file.test_signed_copy import add_annotation, drop_attachments, replace_text, updated

pytestmark = pytest.mark.slow
FILES, ALTERED = int(os.environ.get("FILES", "4")), int(os.environ.get("ALTERED", "9"))
SEED = os.environ.get("SEED", "1")
_MOST_SIGNERS, _MOST_ITEMS, _MOST_ENTRIES = 10, 12, 30
_MOST_SCRIPTS, _IN_CAMERA = 4, 0.2
_LENGTHS, _LONG = (0, 1, 40, 400, 4_000, 20_000), 400
_SCRIPTS = (
    "Ann presents the budget and the board resolves to adopt it. ffi & <b> \\ \N{SOFT HYPHEN}",
    "Der Vorstand beschließt über Überschüsse, größer als üblich.",
    "Zażółć gęślą jaźń; příliš žluťoučký kůň; İstanbul'da.",
    "Το συμβούλιο εγκρίνει τον προϋπολογισμό.",  # noqa: RUF001 - it is Greek
    "Совет утверждает бюджет на следующий год.",
    "הדירקטוריון מאשר את התקציב 2030",
    "قرر مجلس الإدارة الموافقة على الميزانية ١٢",
    "निदेशक मंडल ने बजट को मंजूरी दी",
    "มติคณะกรรมการอนุมัติงบประมาณ",
    "取締役会は予算を承認した。",
    "이사회는 예산을 승인하였다.",
    "🗳 👩‍👩‍👧 e\u0301 \u200b ① \N{MATHEMATICAL FRAKTUR CAPITAL B}",
)


@dataclass
class Writer:
    """Writes minutes by chance: scripts, length, attendance, what is in camera, who signed, what they correct."""

    chance: Random
    scripts: Sequence[str] = _SCRIPTS

    def facts(self) -> ApprovedMinutes:
        choice = self.chance.choice
        self.scripts = self.chance.sample(_SCRIPTS, self.chance.randint(1, _MOST_SCRIPTS))
        signers = [UserId(id_of(f"signer{number}")) for number in range(self.chance.randint(0, _MOST_SIGNERS))]
        facts = approved(
            *signers,
            minutes=self.version(),
            supersedes=choice([None, 1]),
            names={id_: self.words(40) for id_ in (*NAMES, *signers)},
            title=self.words(200),
            board=self.words(80),
            language=choice(["en", "de"]),
            start_time=choice([None, THEN]),
        )
        return replace(facts, approval={**facts.approval, "status": choice(["approved", "corrected"])})

    def version(self) -> str:
        stored = StoredMinutes(
            board_id=BOARD,
            meeting_id=MEETING,
            attendance=tuple(self.entry() for _ in range(self.chance.randint(0, _MOST_ENTRIES))),
            items=tuple(self.item(str(number)) for number in range(self.chance.randint(1, _MOST_ITEMS))),
            created_at=THEN,
            updated_at=NOW,
        )
        return fixed(stored)

    def entry(self) -> StoredAttendance:
        present = self.chance.choice(get_args(Presence))
        return StoredAttendance(name=self.words(60), present=present)

    def item(self, id_: str) -> StoredMinutesItem:
        choice = self.chance.choice
        decision = Decision(text=self.words(200), result=choice(["carried", "rejected", "noted"]))
        members: dict[str, Any] = choice([{}, {"decision": decision}, {"resolution_id": RESOLUTION}])
        if self.chance.random() < _IN_CAMERA:
            members |= {"audience": StoredAudience(join_ids={CHAIR: "1"}), "salt": self.chance.randbytes(32).hex()}
        text, tasks = self.words(choice(_LENGTHS)), choice([(), (TASK,)])
        return StoredMinutesItem(
            id=id_, agenda_item_id=choice([None, ITEM]), text=text, action_item_ids=tasks, **members
        )

    def words(self, most: int) -> str:
        """Returns a text of at most this length, in paragraphs where it may be long."""
        gap = "\n\n" if most > _LONG else " "
        return gap.join(self.chance.choices(self.scripts, k=most // 20 + 1))[:most].strip()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder, paths = tmp_path_factory.mktemp("files"), []
    for number in range(FILES):
        facts = Writer(Random(f"{SEED} {number}")).facts()  # noqa: S311 - no secret
        paths.append(folder / f"{number}.pdf")
        paths[-1].write_bytes(seal(drawn(facts, folder), contents_of(facts).acts, KEY))
    return paths


Alter = Callable[[bytes, Random], bytes]


def flipped(content: bytes, at: int, chance: Random) -> bytes:
    return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]


def sealed_end(content: bytes) -> int:
    """Returns where the first seal begins: all before it is what every seal covers."""
    first: Any = PdfFileReader(io.BytesIO(content)).embedded_signatures[0]
    return int(first.byte_range[1])


def flip_a_byte(content: bytes, chance: Random) -> bytes:
    return flipped(content, chance.randrange(sealed_end(content)), chance)


def flip_a_byte_of_an_attachment(content: bytes, chance: Random) -> bytes:
    described = [match.start() for match in re.finditer(rb"/EmbeddedFile\b", content)]
    begin = content.index(b"stream", chance.choice(described)) + len(b"stream\n")
    return flipped(content, chance.randrange(begin, content.index(b"endstream", begin)), chance)


def flip_a_digit_of_a_seal(content: bytes, chance: Random) -> bytes:
    seals: Any = PdfFileReader(io.BytesIO(content)).embedded_signatures
    signature: bytes = chance.choice(seals).signer_info["signature"].native
    at = content.lower().index(signature.hex().encode()) + chance.randrange(2 * len(signature))
    return content[:at] + (b"1" if content[at : at + 1] != b"1" else b"2") + content[at + 1 :]


def cut_off(content: bytes, chance: Random) -> bytes:
    return content[: chance.randrange(len(content) // 10, len(content) - len(b"%%EOF\n"))]


def replace_a_page(content: bytes, _: Random) -> bytes:
    return updated(content, replace_text)


def annotate(content: bytes, _: Random) -> bytes:
    return updated(content, add_annotation)


def remove_attachments(content: bytes, _: Random) -> bytes:
    return updated(content, drop_attachments)


def remove_a_field(content: bytes, chance: Random) -> bytes:
    def change(writer: Any) -> None:
        form = writer.root["/AcroForm"]
        del form["/Fields"][chance.randrange(len(form["/Fields"]))]
        writer.update_container(form["/Fields"])
        writer.update_root()

    return updated(content, change)


def replace_an_attachment(content: bytes, _: Random) -> bytes:
    def change(writer: Any) -> None:
        listed = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
        file = listed[1]["/EF"]
        file["/F"] = writer.add_object(generic.StreamObject(stream_data=b"{}"))
        writer.update_container(file)

    return updated(content, change)


KINDS: tuple[Alter, ...] = (
    flip_a_byte,
    flip_a_byte_of_an_attachment,
    flip_a_digit_of_a_seal,
    cut_off,
    replace_a_page,
    annotate,
    remove_attachments,
    remove_a_field,
    replace_an_attachment,
)


@pytest.fixture(scope="module")
def altered(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns altered files, each named after what was done to it."""
    folder, paths = tmp_path_factory.mktemp("altered"), []
    for number in range(ALTERED):
        alter, content = KINDS[number % len(KINDS)], files[number % len(files)].read_bytes()
        paths.append(folder / f"{number} {alter.__name__}.pdf")
        paths[-1].write_bytes(alter(content, Random(f"{SEED} {number}")))  # noqa: S311 - no secret
    return paths


@pytest.mark.parametrize("judged", [by_pyhanko, by_pdfsig, by_verapdf, by_our_program])
def test_each_judge_accepts_every_file(files: list[Path], judged: Judge) -> None:
    told = dict(zip(files, judged(files), strict=True))
    assert {path.name: one for path, one in told.items() if one != VALID} == {}


@pytest.mark.parametrize("judged", [by_pyhanko, by_pdfsig, by_our_program])
def test_each_judge_of_signatures_refuses_whatever_was_altered(altered: list[Path], judged: Judge) -> None:
    told = dict(zip(altered, judged(altered), strict=True))
    assert [path.name for path, one in told.items() if one == VALID] == []

"""The program that checks certificates: it accepts what the service makes, and nothing that was altered since."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.domain.resolutions.certificate import certify
from governance.domain.resolutions.count import count, count_secret
from governance.ids import UserId
from governance.log.leaves import Leaf, canonical, new_salt
from governance.log.merkle import inclusion_proof, leaf_hash, tree_hash
from governance.log.notes import Checkpoint, VerifierKey, proof_text, sign_checkpoint
from governance.models.history.audit import LogProof
from governance.models.resolutions.ballot import CertifiedBallot, Choice
from governance.models.resolutions.certificate import Certificate
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.resolution import Recusal, Resolution, Voter
from governance.models.resolutions.rule import Rule
from infra.verify import certificate as checker
from tests.domain.resolutions.count_cases import CASES
from tests.domain.samples import NOW, THEN, board

PROGRAM = Path(checker.__file__)
SIGNER = Ed25519PrivateKey.generate()
KEY = VerifierKey("example.com/log", SIGNER.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
CHOICES: tuple[Choice, ...] = ("for", "against", "abstain")


def user(number: int) -> UserId:
    return UserId(f"{number:024x}")


@dataclass(frozen=True)
class Decided:
    """What a resolution that is closed has: its voters, and its ballots (choices alone if they are secret)."""

    rule: Rule
    kind: str
    voters: list[Voter]
    ballots: list[CertifiedBallot | Choice]

    def certified(self) -> str:
        """Returns the certificate without its event."""
        if self.kind == "secret":
            tally = count_secret(self.rule, self.voters, [vote for vote in self.ballots if isinstance(vote, str)])
        else:
            chosen = {vote.user_id: vote.choice for vote in self.ballots if not isinstance(vote, str)}
            tally = count(self.rule, self.voters, chosen)
        made: dict[str, Any] = dict.fromkeys(Resolution.model_fields)
        made |= {"object": "resolution", "id": "c" * 24, "board_id": board().id, "number": "2030-7", "title": "Räte 🗳"}
        made |= {
            "text": 'We "resolve" to\nbuy \u2028 2 €',
            "status": tally.outcome or "lapsed",
            "document_ids": ("d" * 24,),
        }
        made |= {"rule": self.rule, "ballots": self.kind, "voters": tuple(self.voters), "tally": tally}
        made |= {"created_by_user_id": user(0), "opened_at": THEN, "closed_at": NOW, "created_at": THEN}
        resolution = Resolution.model_validate({**made, "updated_at": NOW})
        papers = [Paper(document_id="d" * 24, version_id="e" * 24, sha256="f" * 64)]
        shown = self.ballots if tally.for_ is not None else []
        return certify(board(), resolution, tally, papers, shown).text


def decided(chance: Random) -> Decided:
    """Returns a resolution with random voters and ballots."""
    kind = chance.choice(["named", "hidden", "secret"])
    is_secret = kind == "secret"
    voters = [voter(chance, number, is_secret=is_secret) for number in range(chance.choice([1, 2, 3, 9, 40]))]
    casting = None if is_secret else chance.choice([None, *(one.user_id for one in voters)])
    rule = Rule(
        majority=chance.choice(["simple", "two_thirds", "three_quarters", "unanimous"]),
        base=chance.choice(["cast", "eligible"]),
        quorum_percent=chance.choice([0, 33, 50, 100]),
        casting_vote_user_id=casting,
        proxies=not is_secret and chance.random() < 0.5,
    )
    voting = [member for member in voters if member.recused is None and chance.random() < 0.8]
    if is_secret:
        return Decided(rule, kind, voters, [chance.choice(CHOICES) for _ in voting])
    cast = [
        CertifiedBallot(
            user_id=member.user_id,
            cast_by_user_id=chance.choice(voters).user_id if rule.proxies else member.user_id,
            choice=chance.choice(CHOICES),
            weight=member.weight,
        )
        for member in voting
    ]
    chance.shuffle(cast)
    return Decided(rule, kind, voters, [*cast])


def voter(chance: Random, number: int, *, is_secret: bool) -> Voter:
    recusal = Recusal(reason="left", by_user_id=None, at=NOW) if chance.random() < 0.2 else None
    return Voter(user_id=user(number), weight=1 if is_secret else chance.randint(1, 1000), recused=recusal)


def logged(facts: str, size: int, index: int, *, signer: Ed25519PrivateKey = SIGNER) -> str:
    """Returns a certificate as it is served, whose event is an entry of a log of some size."""
    event = {
        "object": "event",
        "id": "a" * 24,
        "boardId": json.loads(facts)["board"]["id"],
        "type": "resolution.closed",
        "actorUserId": None,
        "createdVia": None,
        "createdAt": NOW,
        "refs": {"resolutionId": json.loads(facts)["resolution"]["id"]},
        "details": {"certificateSha256": checker.sha256(facts)},
    }
    leaf = Leaf(json.dumps(event), new_salt(), index)
    hashes = [leaf_hash(number.to_bytes(32)) for number in range(size)]
    hashes[index] = leaf_hash(leaf.entry)
    signed = sign_checkpoint(Checkpoint(KEY.name, size, tree_hash(hashes)), KEY, signer.sign)
    path = inclusion_proof(lambda low, high: tree_hash(hashes[low:high]), index, size)
    proof = LogProof(
        entry_id="a" * 24,
        index=index,
        entry=canonical(leaf.text),
        salt=leaf.salt,
        proof=proof_text(index, path, signed),
    )
    return f'{{"data":{Certificate.of(facts, proof).to_json()}}}'


def certificate(seed: int) -> str:
    chance = Random(seed)  # noqa: S311 - test data
    size = chance.choice([1, 2, 3, 7, 8, 200])
    return logged(decided(chance).certified(), size, chance.randrange(size))


def refusal(text: str, key: str | None = KEY.text) -> str | None:
    """Returns why a certificate is refused; None if it holds."""
    try:
        checker.report(text, key)
    except checker.Refuted as refuted:
        return str(refuted)
    return None


def run(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a stranger does: a copy of the one file, with nothing of the project beside it."""
    (folder / "check.py").write_bytes(PROGRAM.read_bytes())
    (folder / "certificate.json").write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "check.py", "certificate.json", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def test_a_hundred_of_a_hundred_certificates_hold() -> None:
    assert [refusal(certificate(seed)) for seed in range(100)] == [None] * 100


def test_the_program_needs_nothing_of_the_project(tmp_path: Path) -> None:
    done = run(tmp_path, certificate(1), "--key", KEY.text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Its signature holds."
    altered = run(tmp_path, certificate(1).replace("Räte", "Rate"), "--key", KEY.text)
    assert (altered.returncode, altered.stdout) == (1, "")
    assert altered.stderr == "The resolution was closed with another certificate.\n"


def test_without_a_key_the_program_says_that_the_signature_was_not_checked(tmp_path: Path) -> None:
    done = run(tmp_path, certificate(2))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == checker.UNSIGNED
    assert checker.UNSIGNED.startswith("NOT CHECKED")


def altered_values(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield from (value + "x", value[1:], "")
        case None:
            yield "x"


def alterations(document: Any) -> Iterator[tuple[str, Any]]:
    """Yields each document in which one value differs, one member is missing, or one entry stands twice."""

    def walk(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Callable[[Any, Any], None], Any]]:
        for key in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
            here = (*path, key)
            yield here, lambda parent, at: parent.pop(at), None
            if isinstance(part[key], dict | list):
                yield from walk(part[key], here)
            for other in altered_values(part[key]):
                yield here, lambda parent, at, other=other: parent.__setitem__(at, other), other  # type: ignore[misc]
        if isinstance(part, list) and part:
            yield (*path, 0), lambda parent, _: parent.append(copy.deepcopy(parent[0])), None

    for path, change, other in walk(document, ()):
        made = copy.deepcopy(document)
        parent = made
        for key in path[:-1]:
            parent = parent[key]
        change(parent, path[-1])
        yield f"{'.'.join(map(str, path))} {other!r}", made


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_every_certificate_is_refused_whose_data_differ_anywhere(seed: int) -> None:
    original = json.loads(certificate(seed))
    made = [(what, json.dumps(changed)) for what, changed in alterations(original)]
    assert len(made) > 200
    assert [what for what, text in made if refusal(text) is None] == []


def test_a_certificate_is_refused_whose_result_was_altered_with_everything_that_follows() -> None:
    """Whoever alters the ballots too, and hashes anew, lacks the event that was logged."""
    original = json.loads(certificate(1))
    other = json.loads(certificate(7))
    for name in ("resolution", "ballots", "tally"):
        original["data"][name] = other["data"][name]
    assert refusal(json.dumps(original)) == "The resolution was closed with another certificate."


def test_a_certificate_of_a_log_that_somebody_else_signed_is_refused() -> None:
    facts = decided(Random(1)).certified()  # noqa: S311 - test data
    forged = logged(facts, 8, 3, signer=Ed25519PrivateKey.generate())
    assert refusal(forged) == "The signature of the log does not hold."
    assert refusal(forged, key=None) is None


def test_a_certificate_without_a_proof_does_not_hold() -> None:
    made = json.loads(certificate(9))
    made["data"]["event"] |= {"index": None, "proof": None}
    assert refusal(json.dumps(made)) == "There is no proof yet: get the certificate again in a minute."


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("weight", 0, "A weight is not a whole number above zero."),
        ("weight", True, "A weight is not a whole number above zero."),
        ("recused", {"reason": "x"}, "A ballot is of somebody who does not vote."),
    ],
)
def test_ballots_are_compared_with_their_voters(field: str, value: Any, why: str) -> None:
    """These are said before the hash is compared."""
    seed = next(number for number in range(100) if (data := json.loads(certificate(number))["data"]) and whole(data))
    made = json.loads(certificate(seed))
    for row in made["data"]["resolution"]["voters"]:
        row[field] = value
    assert refusal(json.dumps(made)) == why


def whole(data: Any) -> bool:
    return data["resolution"]["ballots"] == "named" and len(data["ballots"]) > 1


def altered(**members: Any) -> bytes:
    """Returns a certificate with other members, which is no longer the one that was logged."""
    made = json.loads(certificate(8))
    made["data"] |= members
    return json.dumps(made).encode()


_TEXT = certificate(8)
NO_JSON, NO_CERTIFICATE = "It is not JSON.", "It is not a certificate: a member is missing or malformed."


def versioned(number: str) -> bytes:
    return _TEXT.replace('"version":1', f'"version":{number}').encode()


BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", NO_JSON),
    "a file without its last sign": (_TEXT[:-1].encode(), NO_JSON),
    "a hundred thousand brackets": (b"[" * 100_000, NO_JSON),
    "a byte order mark": (_TEXT.encode("utf-8-sig"), "It begins with a byte order mark: it was changed."),
    "bytes that are not text": (b"\xff\xfe\x00{", "It cannot be read"),
    "a text that is not Unicode": (_TEXT.replace("Räte", r"\ud800").encode(), "A text of it is not valid Unicode."),
    "a huge file": (_TEXT.encode() + b" " * checker.LARGEST_FILE, "It is larger than a certificate can be."),
    "a member twice": (
        _TEXT.replace('"index":', '"index":0,"index":').encode(),
        "A member of the JSON is there twice.",
    ),
    **{
        f"the number {number}": (versioned(number), f"{number} is not a number of a certificate.")
        for number in ("1.0", "1e0", "-0", "NaN", "-Infinity", "9007199254740993")
    },
    "null": (b"null", NO_CERTIFICATE),
    "a list": (b"[]", NO_CERTIFICATE),
    "an empty certificate": (b'{"data":{}}', NO_CERTIFICATE),
    "something else of the service": (b'{"data": {"object": "resolution", "id": "x"}}', NO_CERTIFICATE),
    "a later version": (altered(version=2), "It is not a certificate of version 1."),
    "a version that is true": (altered(version=True), "The resolution was closed with another certificate."),
    "deep lists": (
        altered().replace(b'"papers": [', b'"deep": ' + 5_000 * b"[" + 5_000 * b"]" + b', "papers": ['),
        NO_CERTIFICATE,
    ),
    "a title of lines": (altered(object="x\nIts signature holds.\x1b[2J"), "It is not a certificate of version 1."),
    "voters that are not a list": (altered(resolution=5, tally=[], ballots={}), NO_CERTIFICATE),
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("key", [None, KEY.text], ids=["no key", "key"])
def test_a_broken_file_is_refused_in_one_line(
    kind: str, key: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    content, why = BROKEN[kind]
    file.write_bytes(content)
    assert checker.main([str(file), *([] if key is None else ["--key", key])]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(why)
    assert len(line) < 300


def test_a_forgers_file_does_not_look_verified_without_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its title cannot write lines of the report, nor move the cursor over the last one."""
    made = json.loads(decided(Random(1)).certified())  # noqa: S311 - test data
    made["resolution"]["title"] = f"Ours\n{checker.SIGNED}\r\x1b[1A\u2028\u202e"
    file = tmp_path / "certificate.json"
    file.write_text(logged(checker.canonical(made), 8, 3, signer=Ed25519PrivateKey.generate()))
    assert checker.main([str(file)]) == 0
    printed = capsys.readouterr().out
    assert (printed.splitlines()[-1], len(printed.splitlines())) == (checker.UNSIGNED, 5)
    assert checker.SIGNED not in printed.splitlines()
    assert all(line.isprintable() for line in printed.splitlines())
    for key in (KEY.text, ""):
        assert checker.main([str(file), "--key", key]) == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_the_program_decides_as_the_table_of_cases_says(case: dict[str, Any]) -> None:
    voters = [{**one, "recused": {} if one["recused"] else None} for one in case["votes"]]
    assert (
        checker.tally(case["rule"], voters, [one for one in case["votes"] if one["choice"]])["outcome"]
        == case["outcome"]
    )
